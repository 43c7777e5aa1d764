/** The trail of changes: who, when, what, from where; chained by hash and never rewritten. */
@NullMarked
package io.stockroom.core.audit;

import org.jspecify.annotations.NullMarked;
