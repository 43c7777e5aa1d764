/**
 * Answers of reads, kept in memory and never stale. {@link io.stockroom.core.cache.ReadCache} is
 * the entrance, {@link io.stockroom.core.cache.Barrier} the reason why an answer is never older
 * than its request.
 */
@NullMarked
package io.stockroom.core.cache;

import org.jspecify.annotations.NullMarked;
