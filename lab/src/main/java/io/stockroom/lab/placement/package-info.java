/** Simulates the placement of merchants on cells. */
@NullMarked
package io.stockroom.lab.placement;

import org.jspecify.annotations.NullMarked;
