/** The API explorer with explained signatures, and the request checker. */
@NullMarked
package io.stockroom.console.explorer;

import org.jspecify.annotations.NullMarked;
