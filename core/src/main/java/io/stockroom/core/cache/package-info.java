/**
 * Answers of reads, kept in memory and never stale: an answer is at least as new as the moment its
 * call arrived, on every node. {@link io.stockroom.core.cache.ReadCache} is the entrance.
 *
 * <p><b>The log decides.</b> Every change of a merchant's products or stock appends to the
 * merchant's log in its own transaction. {@code log_head} names the end of each log with a hash of
 * everything before it. Who knows the hash of the log's end at which an answer was read, and the
 * changes since, knows whether the answer is still right.
 *
 * <p><b>A view</b> ({@link io.stockroom.core.cache.MerchantView}) is how far this node has followed
 * the log of one merchant. It only moves forward. A change of a product's stock drops the cached
 * stock of that product; a change of any product makes the cached pages of the product list older
 * than the view allows, and one that adds or removes entries the filtered pages. If a log cannot be
 * followed, because of a restore, a failover that lost changes, or too many changes, a new view
 * takes its place, and every answer of the old one is void.
 *
 * <p><b>The barrier</b> ({@link io.stockroom.core.cache.Barrier}) moves the views. A call that
 * passes it waits for a statement that starts after the call has arrived, and that it shares with
 * all calls that wait. The statement reads where the logs of their merchants end; a second one,
 * only if a log has moved, reads what changed.
 *
 * <p><b>A hit</b> ({@code ReadCache.fromMemory}):
 *
 * <ol>
 *   <li>the answer is in memory, so the call passes the barrier;
 *   <li>the answer goes out if it is in memory still, belongs to the view that the barrier
 *       returned, and is valid in it.
 * </ol>
 *
 * <p><b>A miss</b> ({@code ReadCache.fromDatabase}):
 *
 * <ol>
 *   <li>the answer is read from the database, with the hash of the log's end in the same snapshot;
 *   <li>it goes out as it is: it was read after the call arrived;
 *   <li>it is stored if the view is exactly where the answer was read. If the view is not there
 *       yet, the barrier moves it in the background, and the answer is stored if that is the same
 *       place.
 * </ol>
 */
@NullMarked
package io.stockroom.core.cache;

import org.jspecify.annotations.NullMarked;
