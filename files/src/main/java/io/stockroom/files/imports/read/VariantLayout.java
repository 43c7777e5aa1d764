package io.stockroom.files.imports.read;

import io.stockroom.protocol.InvalidValue;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How the rows of a table tell the color and the size, if not in columns of their own. */
abstract class VariantLayout {
  /** The color of a product whose variants differ only in size. */
  static final String ONLY_COLOR = "Default";

  private static final Set<String> SPECIFICATION =
      Set.of(
          "规格",
          "sku规格",
          "商品规格",
          "销售规格",
          "规格名称",
          "规格属性",
          "销售属性",
          "sku属性",
          "sku名称",
          "颜色规格",
          "颜色尺码",
          "颜色及尺码",
          "variant",
          "variation",
          "skuproperties",
          "skuspec");

  private final int width;

  private VariantLayout(int width) {
    this.width = width;
  }

  /** The layout of a header; null if it needs nothing. */
  static @Nullable VariantLayout of(RowCells header) {
    int width = header.count();
    int handle = -1;
    int specification = -1;
    int[] names = {-1, -1, -1};
    int[] values = {-1, -1, -1};
    boolean known = false;
    for (int i = 0; i < width; i++) {
      String key = Field.key(header.value(i));
      Field field = Field.named(header.value(i));
      known |= field == Field.COLOR || field == Field.SIZE;
      handle = key.equals("handle") || key.equals("urlhandle") ? i : handle;
      specification = SPECIFICATION.contains(key) ? i : specification;
      for (int option = 0; option < 3; option++) {
        names[option] = key.equals("option" + (option + 1) + "name") ? i : names[option];
        values[option] = key.equals("option" + (option + 1) + "value") ? i : values[option];
      }
    }
    if (known) {
      return null;
    }
    if (handle >= 0 && values[0] >= 0) {
      return new Options(width, handle, names, values);
    }
    return specification >= 0 ? new Specification(width, specification) : null;
  }

  int width() {
    return width;
  }

  /** Adds the names of the two columns. */
  void extendHeader(RowCells cells) {
    put(cells, Field.COLOR.word(), Field.SIZE.word());
  }

  /** Adds the color and the size of a row. */
  abstract void extend(RowCells cells);

  final void put(RowCells cells, String color, String size) {
    cells.put(width, color);
    cells.put(width + 1, size);
  }

  private static boolean isSize(String text) {
    try {
      return WrittenSizes.parse(text).first().isUsual();
    } catch (InvalidValue noSize) {
      return false;
    }
  }

  /** Shopify: up to three options, whose names are in the first row of each product. */
  private static final class Options extends VariantLayout {
    private final int handle;
    private final int[] nameColumns;
    private final int[] valueColumns;
    private final String[] names = {"", "", ""};
    private String product = "";

    Options(int width, int handle, int[] nameColumns, int[] valueColumns) {
      super(width);
      this.handle = handle;
      this.nameColumns = nameColumns;
      this.valueColumns = valueColumns;
    }

    /** The SKU of a variant is not the item number of the product. */
    @Override
    void extendHeader(RowCells cells) {
      for (int i = 0; i < width(); i++) {
        if (i != handle && Field.named(cells.value(i)) == Field.ART_NO) {
          cells.put(i, "Variant " + cells.value(i));
        }
      }
      super.extendHeader(cells);
    }

    @Override
    void extend(RowCells cells) {
      String at = cells.value(handle);
      boolean other = !at.isEmpty() && !at.equals(product);
      product = other ? at : product;
      String color = "";
      String size = "";
      boolean hasColor = false;
      boolean any = false;
      for (int i = 0; i < names.length; i++) {
        String name = nameColumns[i] < 0 ? "" : cells.value(nameColumns[i]).strip();
        names[i] = other || !name.isEmpty() ? name : names[i];
        String value = valueColumns[i] < 0 ? "" : cells.value(valueColumns[i]).strip();
        if (value.isEmpty()) {
          continue;
        }
        any = true;
        Field field = Field.named(names[i]);
        if (field == Field.SIZE || (field != Field.COLOR && size.isEmpty() && isSize(value))) {
          size = value;
        } else if (!hasColor || field == Field.COLOR) {
          color = value;
          hasColor = true;
        }
      }
      put(cells, any && !hasColor ? ONLY_COLOR : color, size);
    }
  }

  /** One cell with both: {@code 颜色:红;尺码:36}, {@code 红;36} or {@code 红/36}. */
  private static final class Specification extends VariantLayout {
    private static final Pattern LIST = Pattern.compile("[;；,，|]");
    private static final List<String> PAIRS = List.of("/／ \t_", "-");

    private final int column;

    Specification(int width, int column) {
      super(width);
      this.column = column;
    }

    @Override
    void extend(RowCells cells) {
      String text = cells.value(column).strip();
      String color = "";
      String size = "";
      String[] parts = LIST.split(text);
      if (parts.length == 1) {
        parts = pair(text);
      }
      for (String part : parts) {
        int colon = Math.max(part.indexOf(':'), part.indexOf('：'));
        Field field = colon < 0 ? null : Field.named(part.substring(0, colon));
        String value = part.substring(colon + 1).strip();
        String plain = plain(value);
        if (field == Field.SIZE || (field == null && size.isEmpty() && isSize(plain))) {
          size = plain;
        } else if (field == Field.COLOR || color.isEmpty()) {
          color = value;
        }
      }
      put(cells, color, size);
    }

    /** A size without the word behind it. */
    private static String plain(String size) {
      return size.strip().replaceFirst("(?<=[0-9])[码号]$", "");
    }

    /** Splits at the last separator, because colors may contain one. */
    private static String[] pair(String text) {
      for (String separators : PAIRS) {
        for (int i = text.length() - 1; i > 0; i--) {
          if (separators.indexOf(text.charAt(i)) >= 0 && isSize(plain(text.substring(i + 1)))) {
            return new String[] {text.substring(0, i), text.substring(i + 1)};
          }
        }
      }
      return new String[] {text};
    }
  }
}
