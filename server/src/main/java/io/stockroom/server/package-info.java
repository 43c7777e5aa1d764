/** The server: {@link io.stockroom.server.Stockroom} starts every part. */
@NullMarked
package io.stockroom.server;

import org.jspecify.annotations.NullMarked;
