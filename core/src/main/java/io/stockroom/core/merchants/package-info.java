/** The merchants of the marketplace: their entries in the directory and their own limits. */
@NullMarked
package io.stockroom.core.merchants;

import org.jspecify.annotations.NullMarked;
