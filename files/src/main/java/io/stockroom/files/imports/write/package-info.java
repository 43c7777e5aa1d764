/** Applies a plan: writes products, colors, stock and its history. */
@NullMarked
package io.stockroom.files.imports.write;

import org.jspecify.annotations.NullMarked;
