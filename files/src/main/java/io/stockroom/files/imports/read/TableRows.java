package io.stockroom.files.imports.read;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The rows of a table in a file. Blank rows are skipped. */
public interface TableRows extends Closeable {
  /** The next row, valid until the next call; null at the end. */
  @Nullable RowCells next() throws IOException, FileRejection;

  /** Whether a row may have fewer cells than the header. */
  boolean mayEndEarly();

  /** Whether a text that begins with {@code =} is a formula unless an apostrophe precedes it. */
  boolean guardsFormulas();

  /** The row's sheet, such as {@code sheet 2!}; empty for the first sheet. */
  String sheet(int row);

  /** Row numbers modulo this are the row numbers within a sheet. */
  int rowsOfASheet();
}
