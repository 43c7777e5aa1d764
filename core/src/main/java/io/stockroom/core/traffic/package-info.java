/** Traffic: counts of calls over time, the request log, and the nodes with their health. */
@NullMarked
package io.stockroom.core.traffic;

import org.jspecify.annotations.NullMarked;
