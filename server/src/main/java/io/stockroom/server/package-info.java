/** The service: {@link io.stockroom.server.Stockroom} builds every part and shows how they fit. */
@NullMarked
package io.stockroom.server;

import org.jspecify.annotations.NullMarked;
