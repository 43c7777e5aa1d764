/** The trail of changes: who, when, what, from where; chained by hash and never rewritten. */
@NullMarked
package io.stockroom.server.audit;

import org.jspecify.annotations.NullMarked;
