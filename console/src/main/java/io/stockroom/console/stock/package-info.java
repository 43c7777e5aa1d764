/** The stock grid of a product: the page, saving with its conflicts, history and undo. */
@NullMarked
package io.stockroom.console.stock;

import org.jspecify.annotations.NullMarked;
