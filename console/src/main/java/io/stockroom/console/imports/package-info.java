/** The import wizard and the export. */
@NullMarked
package io.stockroom.console.imports;

import org.jspecify.annotations.NullMarked;
