/** Moves of merchants from one cell to another. */
@NullMarked
package io.stockroom.core.moves;

import org.jspecify.annotations.NullMarked;
