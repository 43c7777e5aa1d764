/** Products: the list, the detail, and how they are kept. */
@NullMarked
package io.stockroom.server.catalogue;

import org.jspecify.annotations.NullMarked;
