package io.stockroom.files.imports.read;

import io.stockroom.files.imports.read.Columns.Column;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the stock and the color picture of a row, in the long and the wide layout. */
final class StockCells {
  private final CellReader reader;
  private final Columns columns;
  private final ProductRow row;
  private final List<Column> sizeColumns;

  StockCells(CellReader reader, Columns columns, ProductRow row) {
    this.reader = reader;
    this.columns = columns;
    this.row = row;
    this.sizeColumns = columns.all().stream().filter(column -> column.sizes() != null).toList();
  }

  void read(RowCells cells) {
    String color = reader.text(cells, Field.COLOR);
    String kept =
        color.isEmpty()
            ? null
            : row.check(columns.name(Field.COLOR), color, () -> Text.color(color));
    readImage(cells, color, kept);
    String quantity = reader.text(cells, Field.QUANTITY);
    String barCode = reader.text(cells, Field.BAR_CODE);
    if (!quantity.isEmpty()) {
      readEntry(cells, color, kept, quantity, barCode);
    } else if (!barCode.isEmpty()) {
      reader.missing(Field.QUANTITY);
    } else if (row.mode == ImportMode.REPLACE && columns.has(Field.QUANTITY)) {
      String size = reader.text(cells, Field.SIZE);
      row.blank(kept, size.isEmpty() ? null : sizes(size));
    }
    for (Column column : sizeColumns) {
      String text = reader.text(cells, column);
      if (text.isEmpty()) {
        row.blank(kept, column.sizes());
      } else {
        Integer number = FieldTexts.quantity(row, column.name(), text.strip());
        if (color.isEmpty()) {
          reader.missing(Field.COLOR);
          return;
        }
        if (number != null && kept != null && column.sizes() != null) {
          row.stock.add(new ProductRow.Stock(column.name(), kept, column.sizes(), number, null));
        }
      }
    }
  }

  private @Nullable SizeRange sizes(String size) {
    return NumberHints.isDate(row, columns.name(Field.SIZE), size.strip())
        ? null
        : row.check(columns.name(Field.SIZE), size, () -> WrittenSizes.parse(size));
  }

  private void readImage(RowCells cells, String color, @Nullable String kept) {
    String image = reader.text(cells, Field.COLOR_IMAGE);
    if (image.isEmpty()) {
      return;
    }
    if (color.isEmpty()) {
      reader.missing(Field.COLOR);
      return;
    }
    String name = columns.name(Field.COLOR_IMAGE);
    String address = FieldTexts.address(row, name, image.strip());
    if (address != null && kept != null) {
      row.images.add(new ProductRow.Image(name, kept, address));
    }
  }

  private void readEntry(
      RowCells cells, String color, @Nullable String kept, String quantity, String barCode) {
    String size = reader.text(cells, Field.SIZE);
    if (color.isEmpty()) {
      reader.missing(Field.COLOR);
    }
    if (size.isEmpty()) {
      reader.missing(Field.SIZE);
    }
    Integer number = FieldTexts.quantity(row, columns.name(Field.QUANTITY), quantity.strip());
    String sizeName = columns.name(Field.SIZE);
    SizeRange sizes = size.isEmpty() ? null : sizes(size);
    String code =
        barCode.isEmpty()
                || NumberHints.isScientific(row, columns.name(Field.BAR_CODE), barCode.strip())
            ? null
            : row.check(columns.name(Field.BAR_CODE), barCode, () -> Text.barCode(barCode));
    if (code != null && sizes != null && sizes.count() > 1) {
      row.problem(
          columns.name(Field.BAR_CODE), code, ErrorCode.BARCODE_ON_RANGE, code, sizes.count());
    }
    if (number != null && sizes != null && kept != null) {
      row.stock.add(new ProductRow.Stock(sizeName, kept, sizes, number, code));
    }
  }
}
