/** The audit log: who changed what, when and from where; chained by hash and never rewritten. */
@NullMarked
package io.stockroom.core.audit;

import org.jspecify.annotations.NullMarked;
