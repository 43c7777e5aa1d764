/** Moves of merchants from one cell to another, and removals of the data of closed ones. */
@NullMarked
package io.stockroom.core.moves;

import org.jspecify.annotations.NullMarked;
