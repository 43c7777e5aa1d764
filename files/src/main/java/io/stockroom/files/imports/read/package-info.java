/**
 * Reads files: detects their format and encoding, and turns CSV, workbooks and JSON Lines into
 * checked rows.
 */
@NullMarked
package io.stockroom.files.imports.read;

import org.jspecify.annotations.NullMarked;
