/** The import wizard and the export. */
@NullMarked
package io.stockroom.server.console.imports;

import org.jspecify.annotations.NullMarked;
