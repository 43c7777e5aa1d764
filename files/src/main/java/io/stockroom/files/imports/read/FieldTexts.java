package io.stockroom.files.imports.read;

import io.stockroom.core.catalogue.Descriptions;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.ProductText;
import io.stockroom.protocol.Text;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Parses the text of each field by its rules and adds problems to the row. */
public final class FieldTexts {
  static final int NUMBER_CHARACTERS = ProductText.NUMBER_CHARACTERS;
  static final int ART_NO_CHARACTERS = Text.ART_NO_CHARACTERS;
  static final int TITLE_CHARACTERS = ProductText.TITLE_CHARACTERS;
  static final int CATEGORY_CHARACTERS = ProductText.CATEGORY_CHARACTERS;
  static final int ADDRESS_CHARACTERS = ProductText.ADDRESS_CHARACTERS;
  public static final int MAX_IMAGES = ProductText.MAX_IMAGES;
  static final int MAX_ATTRIBUTES = ProductText.MAX_ATTRIBUTES;
  static final int ATTRIBUTE_NAME_CHARACTERS = ProductText.ATTRIBUTE_NAME_CHARACTERS;
  static final int ATTRIBUTE_VALUE_CHARACTERS = ProductText.ATTRIBUTE_VALUE_CHARACTERS;

  private FieldTexts() {}

  /** Rejects more than two decimals instead of rounding. */
  static @Nullable Long cents(ProductRow row, String column, String text) {
    BigDecimal price = ProductText.price(text);
    if (price == null) {
      if (!NumberHints.explain(row, column, text)) {
        row.problem(column, text, ErrorCode.CELL_FORMAT, text, ProductText.PRICE_RULE);
      }
      return null;
    }
    return price.movePointRight(2).longValueExact();
  }

  /** A whole number; a quantity to add may have a sign. */
  static @Nullable Integer quantity(ProductRow row, String column, String text) {
    boolean signs = row.mode == ImportMode.ADD;
    int start = signs && (text.startsWith("-") || text.startsWith("+")) ? 1 : 0;
    boolean digits = text.length() > start && text.length() <= 10 + start;
    for (int i = start; i < text.length() && digits; i++) {
      digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    long number = digits ? Long.parseLong(text, start, text.length(), 10) : Long.MAX_VALUE;
    if (number > Integer.MAX_VALUE) {
      if (!NumberHints.explain(row, column, text)) {
        int min = signs ? -Integer.MAX_VALUE : 0;
        row.problem(column, text, ErrorCode.NUMBER_FORMAT, text, min, Integer.MAX_VALUE);
      }
      return null;
    }
    return (int) (start == 1 && text.charAt(0) == '-' ? -number : number);
  }

  /** Sanitizes a description and records what was removed. */
  static @Nullable String description(ProductRow row, String column, String text) {
    String kept = row.check(column, text, () -> Text.block(text, RowCells.MAX_CHARACTERS));
    if (kept == null) {
      return null;
    }
    Descriptions.Cleaned cleaned = Descriptions.clean(kept, row.pictures);
    if (!cleaned.removed().isEmpty()) {
      Set<String> all = new TreeSet<>(row.removed);
      all.addAll(cleaned.removed());
      row.removed = all;
    }
    return cleaned.text();
  }

  static @Nullable String address(ProductRow row, String column, String text) {
    if (text.isEmpty() || ProductText.isWebAddress(text)) {
      return text;
    }
    row.problem(column, text, ErrorCode.CELL_FORMAT, text, ProductText.ADDRESS_RULE);
    return null;
  }

  /** Addresses separated by line ends, bars or spaces. */
  static void addresses(ProductRow row, String column, String text, List<String> to) {
    for (String part : text.split("[\\s|]+", -1)) {
      if (!part.isEmpty()) {
        String address = address(row, column, part);
        if (address != null) {
          to.add(address);
        }
      }
    }
  }

  /** {@code name: value} pairs, separated by line ends or bars; a backslash guards a character. */
  static void attributes(
      ProductRow row, String column, String text, List<String> names, List<String> values) {
    StringBuilder part = new StringBuilder();
    String name = null;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? '\n' : text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        part.append(text.charAt(++i));
      } else if (c == ':' && name == null) {
        name = part.toString();
        part.setLength(0);
      } else if (c == '\n' || c == '\r' || c == '|') {
        add(row, column, name, part.toString(), names, values);
        name = null;
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    if (names.size() > MAX_ATTRIBUTES) {
      row.problem(column, text, ErrorCode.LIST_TOO_LONG, names.size(), MAX_ATTRIBUTES);
    }
  }

  private static void add(
      ProductRow row,
      String column,
      @Nullable String name,
      String rest,
      List<String> names,
      List<String> values) {
    if (name == null && rest.isBlank()) {
      return;
    }
    int wide = rest.indexOf('：');
    if (name == null && wide > 0) {
      add(row, column, rest.substring(0, wide), rest.substring(wide + 1), names, values);
      return;
    }
    if (name == null) {
      row.problem(column, rest, ErrorCode.CELL_FORMAT, rest.strip(), "name: value");
      return;
    }
    String kept = row.check(column, name, () -> Text.name(name, ATTRIBUTE_NAME_CHARACTERS));
    String value = row.check(column, rest, () -> Text.line(rest, ATTRIBUTE_VALUE_CHARACTERS));
    if (kept != null && value != null) {
      names.add(kept);
      values.add(value);
    }
  }

  /** If both trees are given, they must have the same number of parts. */
  static void sameLength(
      ProductRow row, String column, @Nullable String ids, @Nullable String names) {
    if (ids == null || names == null || ids.isEmpty() || names.isEmpty()) {
      return;
    }
    int parts = names.split(",", -1).length;
    int wanted = ids.split(",", -1).length;
    if (parts != wanted) {
      row.problem(column, names, ErrorCode.PARTS_DIFFER, names, parts, "categoryIdTree", wanted);
    }
  }
}
