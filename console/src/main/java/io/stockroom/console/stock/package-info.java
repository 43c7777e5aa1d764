/** The stock grid of a product: page, saving with conflict detection, history and undo. */
@NullMarked
package io.stockroom.console.stock;

import org.jspecify.annotations.NullMarked;
