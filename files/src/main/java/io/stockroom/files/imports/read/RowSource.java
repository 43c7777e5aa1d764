package io.stockroom.files.imports.read;

import io.stockroom.core.catalogue.EmbeddedPictures;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The product rows of a file, independent of its format. */
public interface RowSource extends Closeable {
  /** The next row, valid until the next call; null at the end. */
  @Nullable ProductRow next() throws IOException, FileRejection;

  /** Stores the pictures in descriptions of the following rows. */
  void store(EmbeddedPictures pictures);

  /** The columns; null if the format has none. */
  @Nullable Columns columns();

  /** Whether each row is a complete product, so that a product must not occur twice. */
  boolean rowsAreProducts();

  /** Columns, fields and sheets that were ignored. */
  Ignored ignored();

  /**
   * What was ignored: first what differs between rows and may matter.
   *
   * @param minor how many at the end are columns that are empty or the same in every row
   */
  record Ignored(List<String> names, int minor) {
    public static final Ignored NOTHING = new Ignored(List.of(), 0);
  }

  /** The options of products, such as Material, that the file names in its rows. */
  default List<Option> options() {
    return List.of();
  }

  /** An option, with its first values; without a field: ignored. */
  record Option(String name, @Nullable String field, List<String> values) {}

  /** Whether another system made the file. */
  default boolean isForeign() {
    return false;
  }

  /** What was adapted or left out. */
  Notes notes();

  /** The number of rows read, without the header. */
  int rows();

  /** How many of them are hidden in a workbook. */
  default int hiddenRows() {
    return 0;
  }

  String sheet(int row);

  /** The row's number within its sheet. */
  default int shownRow(int row) {
    return row % rowsOfASheet();
  }

  /** Row numbers modulo this are the row numbers within a sheet. */
  int rowsOfASheet();
}
