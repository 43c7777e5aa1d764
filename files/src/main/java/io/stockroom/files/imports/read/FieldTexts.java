package io.stockroom.files.imports.read;

import io.stockroom.core.catalogue.Descriptions;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.ProductText;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static final Pattern FOREIGN_PRICE = Pattern.compile("[0-9]{1,10}([.,][0-9]{1,20})?");
  private static final Pattern ZEROS = Pattern.compile("[.,]0+$");
  private static final Pattern NEGATIVE = Pattern.compile("-[0-9]{1,10}");
  private static final Pattern RANGE = Pattern.compile("([0-9]+)\\s*[-~–—至到]\\s*([0-9]+)");
  private static final Pattern ASIDE = Pattern.compile("\\s*[(（\\[][^)）\\]]*[)）\\]]?");
  private static final Pattern COMMA = Pattern.compile("\\s*[,，]\\s*");

  private static final Pattern DECIMAL_COMMA = Pattern.compile("(?<=[0-9]),(?=[0-9])");

  /** Between addresses: a blank, a bar, or a comma before the next address. */
  private static final Pattern BETWEEN_ADDRESSES =
      Pattern.compile("[,;]*[\\s|]+|[,;](?=(https?:)?//)|[,;]+$");

  private FieldTexts() {}

  /** The sizes of a cell or a column: one size, or a range of whole numbers. */
  static SizeRange sizes(String text) {
    Matcher range = RANGE.matcher(text.strip());
    return range.matches()
        ? SizeRange.parse(range.group(1) + "-" + range.group(2))
        : SizeRange.of(Size.of(text));
  }

  /** The sizes of a row. What looks like a range can be one size, as the person chooses. */
  static SizeRange sizes(ProductRow row, String given) {
    if (row.foreign) {
      return SizeRange.of(Size.of(fittingSize(row, given)));
    }
    if (row.choices.rangesAsText()) {
      return SizeRange.of(Size.of(given));
    }
    SizeRange sizes = sizes(given);
    if (sizes.count() > 1) {
      row.note(ErrorCode.SIZE_RANGES, given);
    }
    return sizes;
  }

  /**
   * A size of another system without commas and, if it is too long, without what is in brackets.
   */
  private static String fittingSize(ProductRow row, String given) {
    String point = DECIMAL_COMMA.matcher(given.strip()).replaceAll(".");
    String size = COMMA.matcher(point).replaceAll("/");
    if (size.codePointCount(0, size.length()) > Size.MAX_CHARACTERS) {
      size = ASIDE.matcher(size).replaceAll("").strip();
    }
    String fitting = shortened(size.isEmpty() ? given : size, Size.MAX_CHARACTERS);
    if (!fitting.equals(given.strip())) {
      row.note(ErrorCode.VALUE_ADAPTED, given + " → " + fitting);
    }
    return fitting;
  }

  /** A text of another system, shortened if it is too long. */
  static String fitting(ProductRow row, String text, int most) {
    if (!row.foreign || text.codePointCount(0, text.length()) <= most) {
      return text;
    }
    String fitting = shortened(text, most);
    row.note(ErrorCode.VALUE_ADAPTED, "→ " + fitting);
    return fitting;
  }

  /** Ends in a hash, so that other texts with the same beginning stay others. */
  private static String shortened(String text, int most) {
    if (text.codePointCount(0, text.length()) <= most) {
      return text;
    }
    String hash = "…%04x".formatted(text.hashCode() & 0xffff);
    int end = text.offsetByCodePoints(0, most - hash.length());
    return text.substring(0, end).stripTrailing() + hash;
  }

  /** Rejects more than two decimals instead of rounding. */
  static @Nullable Long cents(ProductRow row, String column, String text) {
    BigDecimal price = ProductText.price(text);
    if (price == null && row.foreign && FOREIGN_PRICE.matcher(text).matches()) {
      BigDecimal exact = new BigDecimal(text.replace(',', '.'));
      price = ProductText.price(exact.setScale(2, RoundingMode.HALF_UP).toPlainString());
      row.note(ErrorCode.VALUE_ADAPTED, text + " → " + price);
    }
    if (price == null) {
      if (!NumberHints.explain(row, column, text)) {
        row.problem(column, text, ErrorCode.CELL_FORMAT, text, ProductText.PRICE_RULE);
      }
      return null;
    }
    return price.movePointRight(2).longValueExact();
  }

  /** A whole number; a quantity to add may have a sign. */
  static @Nullable Integer quantity(ProductRow row, String column, String given) {
    String text = row.foreign ? ZEROS.matcher(given).replaceFirst("") : given;
    if (row.foreign && row.mode != ImportMode.ADD && NEGATIVE.matcher(text).matches()) {
      row.note(ErrorCode.QUANTITY_NEGATIVE, text);
      return 0;
    }
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

  /** An address that begins with {@code //}, as in Chinese shops, gets {@code https:}. */
  static @Nullable String address(ProductRow row, String column, String given) {
    String text = given.startsWith("//") ? "https:" + given : given;
    if (text.isEmpty() || ProductText.isWebAddress(text)) {
      return text;
    }
    if (row.foreign) {
      row.note(ErrorCode.PICTURE_SKIPPED, text);
      return null;
    }
    row.problem(column, text, ErrorCode.CELL_FORMAT, text, ProductText.ADDRESS_RULE);
    return null;
  }

  /** Addresses separated by line ends, bars or spaces. */
  static void addresses(ProductRow row, String column, String text, List<String> to) {
    for (String part : BETWEEN_ADDRESSES.split(text, -1)) {
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
