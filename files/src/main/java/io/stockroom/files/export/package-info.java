/**
 * Exports products with their stock: streams one snapshot row by row and writes CSV, XLSX or JSON
 * Lines that an import reads back without a difference.
 */
@NullMarked
package io.stockroom.files.export;

import org.jspecify.annotations.NullMarked;
