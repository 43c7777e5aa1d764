/**
 * What the calls of the interface do over time: counts, the request log, the nodes and their
 * health.
 */
@NullMarked
package io.stockroom.core.traffic;

import org.jspecify.annotations.NullMarked;
