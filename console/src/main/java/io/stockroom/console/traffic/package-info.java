/** A merchant's usage, the request log, and the health of the server. */
@NullMarked
package io.stockroom.console.traffic;

import org.jspecify.annotations.NullMarked;
