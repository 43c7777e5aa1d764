/** How much a caller may do, counted in the database so that every node counts the same. */
@NullMarked
package io.stockroom.core.limits;

import org.jspecify.annotations.NullMarked;
