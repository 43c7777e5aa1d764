/** Infrastructure of all pages: the current request, access control, language, theme and assets. */
@NullMarked
package io.stockroom.console.visit;

import org.jspecify.annotations.NullMarked;
