/** Stock entries: quantities by product, colour and size; how they are listed and created. */
@NullMarked
package io.stockroom.core.stock;

import org.jspecify.annotations.NullMarked;
