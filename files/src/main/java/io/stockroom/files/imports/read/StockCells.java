package io.stockroom.files.imports.read;

import io.stockroom.files.imports.read.Columns.Column;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stock and the color picture of a row, in the long and the wide layout. A row that
 * leaves the color or the size out gets the merchant's word for it.
 */
final class StockCells {
  private final CellReader reader;
  private final Columns columns;
  private final ProductRow row;
  private final List<Column> colorParts;
  private final List<Column> sizeColumns;
  private final boolean isRead;

  StockCells(CellReader reader, Columns columns, ProductRow row) {
    this.reader = reader;
    this.columns = columns;
    this.row = row;
    this.colorParts =
        columns.all().stream().filter(column -> column.field() == Field.COLOR_PART).toList();
    this.sizeColumns = columns.all().stream().filter(column -> column.sizes() != null).toList();
    this.isRead = columns.has(Field.COLOR) || columns.has(Field.QUANTITY) || !sizeColumns.isEmpty();
  }

  void read(RowCells cells) {
    if (!isRead) {
      return;
    }
    String given = color(cells);
    String color = given.isEmpty() ? row.choices.color() : given;
    String kept = row.check(columns.name(Field.COLOR), color, () -> Text.color(color));
    String quantity = reader.text(cells, Field.QUANTITY);
    String barCode = reader.text(cells, Field.BAR_CODE);
    if (!row.foreign || !quantity.isEmpty()) {
      readImage(cells, given, kept);
    }
    if (!quantity.isEmpty()) {
      readEntry(cells, given.isEmpty(), kept, quantity, barCode);
    } else if (row.foreign) {
      if (!given.isEmpty() || !reader.text(cells, Field.SIZE).isEmpty()) {
        row.note(ErrorCode.ENTRIES_LEFT_OUT, "");
      }
    } else if (!barCode.isEmpty()) {
      reader.missing(Field.QUANTITY);
    } else if (row.mode == ImportMode.REPLACE && columns.has(Field.QUANTITY)) {
      String size = reader.text(cells, Field.SIZE);
      row.blank(kept, sizes(size.isEmpty() ? row.choices.size() : size));
    }
    for (Column column : sizeColumns) {
      readColumn(cells, column, given.isEmpty(), kept);
    }
  }

  private String color(RowCells cells) {
    StringBuilder color = new StringBuilder(reader.text(cells, Field.COLOR).strip());
    for (Column column : colorParts) {
      String part = reader.text(cells, column).strip();
      if (!part.isEmpty()) {
        color.append(color.isEmpty() ? "" : Options.JOINED).append(part);
      }
    }
    return FieldTexts.fitting(row, color.toString(), Text.COLOR_CHARACTERS);
  }

  private void readColumn(RowCells cells, Column column, boolean noColor, @Nullable String color) {
    String text = reader.text(cells, column);
    if (text.isEmpty()) {
      row.blank(color, column.sizes());
      return;
    }
    Integer number = FieldTexts.quantity(row, column.name(), text.strip());
    if (number != null && color != null && column.sizes() != null) {
      row.stock.add(
          new ProductRow.Stock(
              column.name(), color, column.sizes(), number, null, missing(noColor, false)));
    }
  }

  /**
   * Notes that a word stands for what is missing; names its column if other rows must miss it, too.
   */
  private @Nullable String missing(boolean color, boolean size) {
    if (!color && !size) {
      return null;
    }
    String words = row.choices.color() + ", " + row.choices.size();
    row.notes.add(ErrorCode.ONE_ENTRY, words, String.valueOf(row.artNo), "");
    return row.foreign ? null : columns.name(color ? Field.COLOR : Field.SIZE);
  }

  private @Nullable SizeRange sizes(String size) {
    return !row.foreign && NumberHints.isDate(row, columns.name(Field.SIZE), size.strip())
        ? null
        : row.check(columns.name(Field.SIZE), size, () -> FieldTexts.sizes(row, size));
  }

  private void readImage(RowCells cells, String color, @Nullable String kept) {
    String image = reader.text(cells, Field.COLOR_IMAGE);
    if (image.isEmpty()) {
      return;
    }
    if (color.isEmpty() && !row.foreign) {
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
      RowCells cells, boolean noColor, @Nullable String color, String quantity, String barCode) {
    String given = reader.text(cells, Field.SIZE);
    Integer number = FieldTexts.quantity(row, columns.name(Field.QUANTITY), quantity.strip());
    String sizeName = columns.name(Field.SIZE);
    SizeRange sizes = sizes(given.isEmpty() ? row.choices.size() : given);
    String code = barCode(barCode);
    if (code != null && sizes != null && sizes.count() > 1) {
      row.problem(
          columns.name(Field.BAR_CODE), code, ErrorCode.BARCODE_ON_RANGE, code, sizes.count());
    }
    if (number != null && sizes != null && color != null) {
      row.stock.add(
          new ProductRow.Stock(
              sizeName, color, sizes, number, code, missing(noColor, given.isEmpty())));
    }
  }

  private @Nullable String barCode(String given) {
    // Shopify puts an apostrophe in front of digits
    String text = row.foreign && given.startsWith("'") ? given.substring(1) : given;
    String name = columns.name(Field.BAR_CODE);
    return text.isEmpty() || NumberHints.isScientific(row, name, text.strip())
        ? null
        : row.check(name, text, () -> Text.barCode(text));
  }
}
