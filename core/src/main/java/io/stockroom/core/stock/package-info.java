/** Stock entries: quantities by product, color and size; how they are listed and created. */
@NullMarked
package io.stockroom.core.stock;

import org.jspecify.annotations.NullMarked;
