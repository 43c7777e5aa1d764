/**
 * The log of changes: every change of a merchant's products and stock has a number, 1, 2, 3, …
 * without gaps, in the order of the commits. History, undo and the feed read it.
 */
@NullMarked
package io.stockroom.core.changes;

import org.jspecify.annotations.NullMarked;
