package io.stockroom.files.imports.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Adds the columns {@code color} and {@code size} to tables that name them in another way: the
 * options of a Shopify product file, or one column such as {@code 颜色:红;尺码:36}.
 */
final class VariantRows extends WrappedRows {
  private @Nullable VariantLayout layout;
  private String sheet = "";
  private int tried;

  VariantRows(TableRows table) {
    super(table);
  }

  @Override
  public @Nullable RowCells next() throws IOException, FileRejection {
    RowCells cells = table.next();
    if (cells == null) {
      return null;
    }
    String here = table.sheet(cells.row());
    if (!here.equals(sheet)) {
      sheet = here;
      layout = null;
      tried = 0;
    }
    if (layout != null) {
      boolean whole = cells.count() >= layout.width() || table.mayEndEarly();
      if (whole && !cells.filledFrom(layout.width())) {
        layout.extend(cells);
      }
    } else if (tried < TableSource.MAX_ROWS_ABOVE) {
      tried++;
      layout = VariantLayout.of(cells);
      if (layout != null) {
        layout.extendHeader(cells);
      }
    }
    return cells;
  }
}
