package io.stockroom.server.imports;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a file as they are meant, whatever its format. */
interface RowSource extends Closeable {
  /** The next row, valid until the one after it is asked for; null at the end. */
  @Nullable ProductRow next() throws IOException, FileRefused;

  /** The columns; null where the format has none. */
  @Nullable Columns columns();

  /** Whether each row is a whole product, so that none may come twice. */
  boolean rowsAreProducts();

  /** What was there and means nothing to us. */
  List<String> ignored();

  /** How many rows were read, without the header. */
  int rows();

  String sheet(int row);

  /** The row's number within its sheet. */
  default int shownRow(int row) {
    return row % rowsOfASheet();
  }

  /** What a row's number is taken modulo of to be shown. */
  int rowsOfASheet();
}
