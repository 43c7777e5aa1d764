/** A merchant's products: list, search, and the page of one product. */
@NullMarked
package io.stockroom.console.products;

import org.jspecify.annotations.NullMarked;
