/** How products come in: lines of JSON, checked, compared with what is there, and applied. */
@NullMarked
package io.stockroom.server.imports;

import org.jspecify.annotations.NullMarked;
