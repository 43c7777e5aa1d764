package io.stockroom.server.imports;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The rows of a table in a file, one after the other; blank ones are passed over. */
interface TableRows extends Closeable {
  /** The next row, valid until the one after it is asked for; null at the end. */
  @Nullable Cells next() throws IOException, FileRefused;

  /** Whether a row may end before the header does. */
  boolean mayEndEarly();

  /** Whether a text that begins with an equals sign is a formula, and an apostrophe guards it. */
  boolean guardsFormulas();

  /** The name of the row's sheet with an exclamation mark, where there are several; or empty. */
  String sheet(int row);

  /** What a row's number is taken modulo of to be its number within its sheet. */
  int rowsOfASheet();
}
