/**
 * The interface on the wire: one servlet, one table of routes, and the pipeline whose stages every
 * request passes in the same order. Knows nothing of products or stock.
 */
@NullMarked
package io.stockroom.server.http;

import org.jspecify.annotations.NullMarked;
