/**
 * Products with their stock as a file: read in one snapshot, row by row, and written as CSV, XLSX
 * or JSON Lines that an import takes back without a difference.
 */
@NullMarked
package io.stockroom.server.export;

import org.jspecify.annotations.NullMarked;
