/** The calls of the interface that import files: {@code POST /Stock/Import} and its siblings. */
@NullMarked
package io.stockroom.files.imports.api;

import org.jspecify.annotations.NullMarked;
