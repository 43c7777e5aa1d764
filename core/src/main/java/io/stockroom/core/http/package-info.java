/**
 * The interface on the wire: one servlet with the stages that every request passes in the same
 * order, and one table of routes. Knows nothing of products or stock.
 */
@NullMarked
package io.stockroom.core.http;

import org.jspecify.annotations.NullMarked;
