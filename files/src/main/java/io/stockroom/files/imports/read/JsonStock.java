package io.stockroom.files.imports.read;

import io.stockroom.core.stock.StockEntries;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.ProductText;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads {@code skus}: colors with their picture and sizes. Sizes are listed one by one or, as in
 * the product detail, as two comma-separated lists.
 */
public final class JsonStock {
  public static final int MAX_COLORS = StockEntries.MAX_COLORS;

  private final ProductRow row;

  JsonStock(ProductRow row) {
    this.row = row;
  }

  public void read(List<JsonNode> skus) {
    for (int i = 0; i < skus.size(); i++) {
      String at = "skus[" + i + "]";
      if (isObject(at, skus.get(i))) {
        readColor(at, skus.get(i));
      }
    }
  }

  private void readColor(String at, JsonNode sku) {
    JsonNode given = sku.get("color") == null ? sku.get("colour") : sku.get("color");
    if (given == null || !given.isString()) {
      row.problem(at + ".color", "", ErrorCode.FIELD_MISSING, at + ".color");
      return;
    }
    String text = given.stringValue();
    String color = row.check(at + ".color", text, () -> Text.color(text));
    if (color == null) {
      return;
    }
    readImage(at, color, sku.get("skuImg") == null ? sku.get("img") : sku.get("skuImg"));
    JsonNode sizes = sku.get("sizes");
    if (sizes != null && sizes.isArray()) {
      for (int i = 0; i < sizes.size(); i++) {
        String place = at + ".sizes[" + i + "]";
        if (isObject(place, sizes.get(i))) {
          readSize(place, color, sizes.get(i));
        }
      }
    } else if (!JsonSource.isAbsent(sizes)) {
      row.problem(
          at + ".sizes", String.valueOf(sizes), ErrorCode.FIELD_TYPE, sizes + "", "an array");
    } else {
      readLists(at, color, sku.get("size"), sku.get("stockNum"));
    }
  }

  private void readImage(String at, String color, @Nullable JsonNode image) {
    if (image == null || image.isNull()) {
      return;
    }
    String address =
        image.isString()
            ? FieldTexts.address(row, at + ".skuImg", image.stringValue().strip())
            : FieldTexts.address(row, at + ".skuImg", image.toString());
    if (address != null && !address.isEmpty()) {
      row.images.add(new ProductRow.Image(at + ".skuImg", color, address));
    }
  }

  private void readSize(String at, String color, JsonNode item) {
    JsonNode size = item.get("size");
    JsonNode quantity = item.get("quantity");
    JsonNode barCode = item.get("barCode");
    if (size == null || size.isNull()) {
      row.problem(at + ".size", "", ErrorCode.FIELD_MISSING, at + ".size");
      return;
    }
    boolean coded = barCode != null && !barCode.isNull() && !plain(barCode).isEmpty();
    if (quantity == null || quantity.isNull()) {
      if (coded) {
        row.problem(at + ".quantity", "", ErrorCode.FIELD_MISSING, at + ".quantity");
      } else if (row.mode == ImportMode.REPLACE) {
        row.blank(color, sizes(at + ".size", plain(size)));
      }
      return;
    }
    SizeRange sizes = sizes(at + ".size", plain(size));
    Integer number = FieldTexts.quantity(row, at + ".quantity", number(quantity));
    String code =
        coded && barCode != null
            ? row.check(at + ".barCode", plain(barCode), () -> Text.barCode(plain(barCode)))
            : null;
    if (code != null && sizes != null && sizes.count() > 1) {
      row.problem(at + ".barCode", code, ErrorCode.BARCODE_ON_RANGE, code, sizes.count());
    }
    if (sizes != null && number != null) {
      row.stock.add(new ProductRow.Stock(at + ".size", color, sizes, number, code));
    }
  }

  private void readLists(
      String at, String color, @Nullable JsonNode sizes, @Nullable JsonNode quantities) {
    if (sizes == null || quantities == null || sizes.isNull() || quantities.isNull()) {
      return;
    }
    String[] each = plain(sizes).split(",", -1);
    String[] numbers = plain(quantities).split(",", -1);
    if (each.length != numbers.length) {
      row.problem(
          at + ".stockNum",
          plain(quantities),
          ErrorCode.PARTS_DIFFER,
          plain(quantities),
          numbers.length,
          "size",
          each.length);
      return;
    }
    for (int i = 0; i < each.length; i++) {
      SizeRange size = sizes(at + ".size", each[i].strip());
      Integer number = FieldTexts.quantity(row, at + ".stockNum", numbers[i].strip());
      if (size != null && number != null) {
        row.stock.add(new ProductRow.Stock(at + ".size", color, size, number, null));
      }
    }
  }

  private @Nullable SizeRange sizes(String at, String text) {
    return row.check(at, text, () -> FieldTexts.sizes(row, text));
  }

  private boolean isObject(String at, JsonNode value) {
    if (!value.isObject()) {
      row.problem(at, value.toString(), ErrorCode.FIELD_TYPE, value.toString(), "an object");
    }
    return value.isObject();
  }

  /** The text of a number, with or without quotes; other text keeps its quotes and is rejected. */
  private String number(JsonNode value) {
    if (!value.isString()) {
      return value.toString();
    }
    String text = value.stringValue();
    boolean negative = row.mode == ImportMode.ADD && text.startsWith("-");
    return ProductText.isCanonical(negative ? text.substring(1) : text) ? text : value.toString();
  }

  private static String plain(JsonNode value) {
    return value.isString() ? value.stringValue() : value.toString();
  }
}
