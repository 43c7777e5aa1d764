/** Rate limits and quotas. They are counted in the database, so they are exact across all nodes. */
@NullMarked
package io.stockroom.core.limits;

import org.jspecify.annotations.NullMarked;
