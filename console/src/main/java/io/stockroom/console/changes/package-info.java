/** The page with the newest changes of products and stock. */
@NullMarked
package io.stockroom.console.changes;

import org.jspecify.annotations.NullMarked;
