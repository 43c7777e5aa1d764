package io.stockroom.protocol;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sizes that one size item names: {@code 36}, or {@code 36-40} with both ends included.
 *
 * @param first the smallest size
 * @param last the largest size; the same as {@code first} for a single size
 */
public record SizeRange(int first, int last) {
  public static final int SMALLEST = 1;
  public static final int LARGEST = 999;
  public static final int MOST_SIZES = 100;

  private static final Pattern FORM = Pattern.compile("([0-9]+)(?:-([0-9]+))?");

  public SizeRange {
    String written = first == last ? "" + first : first + "-" + last;
    check(first, last, written);
  }

  /** Reads {@code <n>} or {@code <n>-<m>}; nothing is expanded before the bounds are checked. */
  public static SizeRange parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (text.length() > 64 || !matcher.matches()) {
      throw new InvalidValue(ErrorCode.SIZE_FORMAT, text);
    }
    int first = bounded(matcher.group(1), text);
    String end = matcher.group(2);
    int last = end == null ? first : bounded(end, text);
    check(first, last, text);
    return new SizeRange(first, last);
  }

  public int count() {
    return last - first + 1;
  }

  private static int bounded(String digits, String text) {
    if (digits.startsWith("0") && digits.length() > 1) {
      throw new InvalidValue(ErrorCode.SIZE_FORMAT, text);
    }
    if (digits.length() > 3) {
      throw new InvalidValue(ErrorCode.SIZE_BOUNDS, text, SMALLEST, LARGEST);
    }
    return Integer.parseInt(digits);
  }

  private static void check(int first, int last, String text) {
    if (first < SMALLEST || last < SMALLEST || first > LARGEST || last > LARGEST) {
      throw new InvalidValue(ErrorCode.SIZE_BOUNDS, text, SMALLEST, LARGEST);
    }
    if (first > last) {
      throw new InvalidValue(ErrorCode.SIZE_ORDER, text, last + "-" + first);
    }
    if (last - first + 1 > MOST_SIZES) {
      throw new InvalidValue(ErrorCode.SIZE_TOO_MANY, text, last - first + 1, MOST_SIZES);
    }
  }
}
