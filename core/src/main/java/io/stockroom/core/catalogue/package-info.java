/** Products: the list, the detail, the search, and their locks and counts. */
@NullMarked
package io.stockroom.core.catalogue;

import org.jspecify.annotations.NullMarked;
