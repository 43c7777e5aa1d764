/** Trying the interface from a page: calls with their signature explained, and the checker. */
@NullMarked
package io.stockroom.console.explorer;

import org.jspecify.annotations.NullMarked;
