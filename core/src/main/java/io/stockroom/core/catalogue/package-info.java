/** Products: the list, the detail, and how they are kept. */
@NullMarked
package io.stockroom.core.catalogue;

import org.jspecify.annotations.NullMarked;
