package io.stockroom.files.imports.read;

import io.stockroom.files.imports.read.Columns.Column;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the fields of the product from the cells of a row. */
final class ProductCells {
  private static final String CLEARS = "-";

  private final CellReader reader;
  private final Columns columns;
  private final ProductRow row;
  private final List<Column> productColumns;
  private final String[] above;

  ProductCells(CellReader reader, Columns columns, ProductRow row) {
    this.reader = reader;
    this.columns = columns;
    this.row = row;
    this.productColumns =
        columns.all().stream()
            .filter(column -> column.field() != null && column.field().isOfProduct())
            .toList();
    this.above = new String[columns.size()];
  }

  /** Reads them, unless all are empty or repeat the row above of the same product. */
  void read(RowCells cells, boolean sameProduct) {
    boolean same = sameProduct && !cells.hasProblems();
    if (!same) {
      Arrays.fill(above, null);
    }
    for (Column column : productColumns) {
      String value = cells.value(column.index());
      if (!value.isEmpty() && !value.equals(above[column.index()])) {
        same = false;
        above[column.index()] = value;
      }
    }
    if (!same) {
      readFields(cells);
    }
  }

  private void readFields(RowCells cells) {
    ProductValues values = new ProductValues();
    List<String> imgs = new ArrayList<>();
    for (Column column : productColumns) {
      String text = reader.text(cells, column);
      Field field = column.field();
      // title and price are never empty, so spaces count as empty, too
      boolean never = field == Field.TITLE || field == Field.PRICE;
      boolean blank = never ? text.isBlank() : text.isEmpty();
      if (!never && text.strip().equals(CLEARS)) {
        clear(values, field);
      } else if (!blank && field != null) {
        readField(values, imgs, column.name(), field, text);
      }
    }
    if (imgs.size() > FieldTexts.MAX_IMAGES) {
      row.problem(
          columns.name(Field.IMGS),
          "",
          ErrorCode.LIST_TOO_LONG,
          imgs.size(),
          FieldTexts.MAX_IMAGES);
    }
    values.imgs = imgs.isEmpty() ? values.imgs : imgs;
    FieldTexts.sameLength(
        row,
        columns.name(Field.CATEGORY_NAME_TREE),
        values.categoryIdTree,
        values.categoryNameTree);
    row.values = values;
  }

  /** An empty cell changes nothing, so a dash clears a field. */
  private static void clear(ProductValues values, @Nullable Field field) {
    if (field == null) {
      return;
    }
    switch (field) {
      case DESCRIPTION -> values.description = "";
      case CATEGORY_ID_TREE -> values.categoryIdTree = "";
      case CATEGORY_NAME_TREE -> values.categoryNameTree = "";
      case IMGS -> values.imgs = List.of();
      case VIDEO -> values.video = "";
      case ATTRIBUTES -> {
        values.attributeNames = List.of();
        values.attributeValues = List.of();
      }
      default -> {}
    }
  }

  private void readField(
      ProductValues values, List<String> imgs, String name, Field field, String text) {
    switch (field) {
      case TITLE ->
          values.title =
              row.check(
                  name,
                  text,
                  () ->
                      Text.name(
                          FieldTexts.fitting(row, text.strip(), FieldTexts.TITLE_CHARACTERS),
                          FieldTexts.TITLE_CHARACTERS));
      case DESCRIPTION -> values.description = FieldTexts.description(row, name, text);
      case PRICE -> values.cents = FieldTexts.cents(row, name, text.strip());
      case CATEGORY_ID_TREE ->
          values.categoryIdTree =
              row.check(name, text, () -> Text.line(text, FieldTexts.CATEGORY_CHARACTERS));
      case CATEGORY_NAME_TREE ->
          values.categoryNameTree =
              row.check(name, text, () -> Text.line(text, FieldTexts.CATEGORY_CHARACTERS));
      case IMGS -> FieldTexts.addresses(row, name, text, imgs);
      case VIDEO -> values.video = FieldTexts.address(row, name, text.strip());
      case ATTRIBUTES -> {
        values.attributeNames = new ArrayList<>();
        values.attributeValues = new ArrayList<>();
        FieldTexts.attributes(row, name, text, values.attributeNames, values.attributeValues);
      }
      default -> {}
    }
  }
}
