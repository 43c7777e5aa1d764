/**
 * How products and stock come in from files: stored, read into temporary tables, compared with what
 * is there, and applied in one transaction.
 */
@NullMarked
package io.stockroom.server.imports;

import org.jspecify.annotations.NullMarked;
