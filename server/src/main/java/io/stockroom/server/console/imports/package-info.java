/** Products and stock as files: the wizard that brings them in, and the export. */
@NullMarked
package io.stockroom.server.console.imports;

import org.jspecify.annotations.NullMarked;
