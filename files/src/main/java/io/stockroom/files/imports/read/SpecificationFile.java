package io.stockroom.files.imports.read;

import io.stockroom.protocol.Size;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * 1688 and ERP systems: one cell with color and size, as {@code 颜色:红;尺码:36}, {@code 红;36} or {@code
 * 红/36}. All other columns are named as in our own files.
 */
final class SpecificationFile extends Shop {
  private static final Set<String> NAMES =
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
  private static final Pattern LIST = Pattern.compile("[;；,，|]");
  private static final List<String> PAIRS = List.of("/／ \t_", "-");

  private final int column;

  private SpecificationFile(Header header, String name) {
    super(header, Field.COLOR, Field.SIZE);
    column = uses(name);
  }

  static @Nullable Shop of(Header header, List<String> names) {
    String found = "";
    for (String name : names) {
      Field field = Field.named(name);
      if (field == Field.COLOR || field == Field.SIZE) {
        return null;
      }
      found = NAMES.contains(Field.key(name)) ? Field.key(name) : found;
    }
    return found.isEmpty() ? null : new SpecificationFile(header, found);
  }

  @Override
  boolean keepsOtherColumns() {
    return true;
  }

  @Override
  boolean read(RowCells cells) {
    String text = text(cells, column);
    String colorText = "";
    String size = "";
    String[] parts = LIST.split(text);
    if (parts.length == 1) {
      parts = pair(text);
    }
    for (String part : parts) {
      int colon = Math.max(part.indexOf(':'), part.indexOf('：'));
      Field field = colon < 0 ? null : Options.named(part.substring(0, colon));
      String value = part.substring(colon + 1).strip();
      String plain = value.replaceFirst("(?<=[0-9])[码号]$", "");
      if (field == Field.SIZE || (field == null && size.isEmpty() && isSize(plain))) {
        size = plain;
      } else {
        colorText = colorText.isEmpty() ? value : colorText + Options.JOINED + value;
      }
    }
    put(cells, Field.COLOR, colorText);
    put(cells, Field.SIZE, size);
    return true;
  }

  /** Splits at the last separator, because colors may contain one. */
  private static String[] pair(String text) {
    for (String separators : PAIRS) {
      for (int i = text.length() - 1; i > 0; i--) {
        String rest = text.substring(i + 1).strip().replaceFirst("(?<=[0-9])[码号]$", "");
        if (separators.indexOf(text.charAt(i)) >= 0 && isSize(rest)) {
          return new String[] {text.substring(0, i), text.substring(i + 1)};
        }
      }
    }
    return new String[] {text};
  }

  /** One usual size, or a range of them. */
  private static boolean isSize(String text) {
    return Size.find(text.split("[-~–—至到]", 2)[0].strip()).map(Size::isUsual).orElse(false);
  }
}
