package io.stockroom.protocol;

import java.text.Normalizer;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A size: a text of 1 to 20 characters, such as {@code 36}, {@code 36.5}, {@code XXL} or {@code One
 * size}. Two sizes are equal without regard to case. Their order is the one people expect: numbers
 * by value, letter sizes from XXS to 6XL, then all others by their characters.
 */
public final class Size implements Comparable<Size> {
  public static final int MAX_CHARACTERS = 20;

  /** A longer number is a text: many clients could not read it. */
  private static final int MAX_DIGITS = 9;

  private static final int CACHED = 1000;
  private static final Size[] NUMBERS =
      IntStream.range(0, CACHED).mapToObj(Size::new).toArray(Size[]::new);

  /**
   * The order of digests: whole numbers by value, then all others by the characters of their texts.
   */
  public static final Comparator<Size> BY_CHARACTERS =
      Comparator.<Size>comparingInt(size -> size.number < 0 ? Integer.MAX_VALUE : size.number)
          .thenComparing(Size::text, Size::compareCharacters);

  private static final Pattern BLANKS = Pattern.compile("\\p{Z}+");
  private static final Pattern BEFORE_FRACTION = Pattern.compile("(?<=\\p{Nd})(?=[¼-¾⅐-⅞])");
  private static final Pattern NUMBER =
      Pattern.compile("([0-9]+)(?:\\.([0-9]+)| ([0-9])/([1-9]))?");
  private static final Pattern LETTERS =
      Pattern.compile("(?:(x*)|([1-9][0-9]?)x)([sl])|m", Pattern.CASE_INSENSITIVE);

  /** The orders of letter sizes have three digits; M is in the middle. */
  private static final int MEDIUM = 500;

  private final String text;
  private final String rank;

  /** -1: not a whole number. */
  private final int number;

  private Size(int number) {
    this.text = Integer.toString(number);
    this.number = number;
    this.rank = marked(text);
  }

  private Size(String text) {
    this.text = text;
    this.number = -1;
    this.rank = rank(text);
  }

  /** Normalizes a size. Throws {@link InvalidValue} if the text cannot be one. */
  public static Size of(String text) {
    int number = wholeNumber(text);
    if (number >= 0) {
      return of(number);
    }
    String normal = normal(text);
    // full-width digits are a number now
    int normalNumber = wholeNumber(normal);
    return normalNumber >= 0 ? of(normalNumber) : new Size(normal);
  }

  public static Size of(int number) {
    if (number < 0) {
      throw new InvalidValue(ErrorCode.NUMBER_RANGE, number, 0, Integer.MAX_VALUE);
    }
    return number < CACHED ? NUMBERS[number] : new Size(number);
  }

  /** The size of a text that somebody typed; empty if it cannot be one. */
  public static Optional<Size> find(String text) {
    try {
      return Optional.of(of(text));
    } catch (InvalidValue noSize) {
      return Optional.empty();
    }
  }

  /** The size as it was written, in Unicode NFKC. */
  public String text() {
    return text;
  }

  /** The value of a whole number of up to nine digits without leading zeros. */
  public OptionalInt number() {
    return number >= 0 ? OptionalInt.of(number) : OptionalInt.empty();
  }

  /**
   * A text whose order by bytes is the order of sizes. Sizes that differ only in case have the same
   * one, and no others do.
   */
  public String rank() {
    return rank;
  }

  /** Whether this is a number or a letter size, which cannot easily be mistaken for a color. */
  public boolean isUsual() {
    return rank.charAt(0) < 'v';
  }

  /** What JSON has for it: an Integer for a whole number, otherwise the text. */
  public Object value() {
    return number >= 0 ? (Object) number : text;
  }

  private static int wholeNumber(String text) {
    int length = text.length();
    if (length == 0 || length > MAX_DIGITS || (length > 1 && text.charAt(0) == '0')) {
      return -1;
    }
    int number = 0;
    for (int i = 0; i < length; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private static String normal(String text) {
    if (text.length() > 20 * MAX_CHARACTERS) {
      throw new InvalidValue(
          ErrorCode.TEXT_TOO_LONG, text, text.codePointCount(0, text.length()), MAX_CHARACTERS);
    }
    String spaced = BEFORE_FRACTION.matcher(text).replaceAll(" ");
    String composed = Normalizer.normalize(spaced, Normalizer.Form.NFKC).replace('⁄', '/');
    String kept = Text.identifier(BLANKS.matcher(composed).replaceAll(" "), MAX_CHARACTERS);
    int comma = kept.indexOf(',');
    if (comma >= 0) {
      throw new InvalidValue(
          ErrorCode.TEXT_CHARACTERS, kept, ",", kept.codePointCount(0, comma) + 1);
    }
    return kept;
  }

  /**
   * A number begins with a letter that tells how many digits it has, from a to t; letter sizes
   * begin with u, all others with v. A blank, which is below every other character, separates what
   * tells apart sizes of the same order.
   */
  private static String rank(String text) {
    Matcher number = NUMBER.matcher(text);
    if (number.matches()) {
      String order = order(number);
      return order.equals(text) ? marked(order) : marked(order) + " " + text;
    }
    Matcher letters = LETTERS.matcher(text);
    if (letters.matches()) {
      return "u" + order(letters, text) + " " + text.toLowerCase(Locale.ROOT);
    }
    StringBuilder rank = new StringBuilder("v");
    // as String.equalsIgnoreCase compares, so that the length stays
    text.codePoints()
        .map(each -> Character.toLowerCase(Character.toUpperCase(each)))
        .forEach(rank::appendCodePoint);
    return rank.toString();
  }

  private static String marked(String number) {
    int point = number.indexOf('.');
    int digits = point < 0 ? number.length() : point;
    return (char) ('a' + digits - 1) + number;
  }

  private static String order(Matcher number) {
    String whole = number.group(1).replaceFirst("^0+(?=[0-9])", "");
    String decimals = number.group(2) == null ? "" : number.group(2);
    if (number.group(3) != null) {
      int thousandths =
          1000 * Integer.parseInt(number.group(3)) / Integer.parseInt(number.group(4));
      decimals = thousandths < 1000 ? "%03d".formatted(thousandths) : "999";
    }
    String significant = decimals.replaceFirst("0+$", "");
    return significant.isEmpty() ? whole : whole + "." + significant;
  }

  private static int order(Matcher letters, String text) {
    if (letters.group(3) == null) {
      return MEDIUM;
    }
    int count =
        letters.group(2) == null ? letters.group(1).length() : Integer.parseInt(letters.group(2));
    boolean isLarge = text.endsWith("l") || text.endsWith("L");
    return isLarge ? MEDIUM + 1 + count : MEDIUM - 1 - count;
  }

  /** In people's order; 0 for sizes that differ only in case. */
  @Override
  public int compareTo(Size other) {
    return this == other ? 0 : compareCharacters(rank, other.rank);
  }

  /** By code points, as PostgreSQL compares the bytes of UTF-8. */
  private static int compareCharacters(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean surrogates = Character.isSurrogate(a) != Character.isSurrogate(b);
        return surrogates ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof Size size && rank.equals(size.rank));
  }

  @Override
  public int hashCode() {
    return rank.hashCode();
  }

  /** The text, as messages and pages show it. */
  @Override
  public String toString() {
    return text;
  }
}
