package io.stockroom.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The sizes of one size item: {@code 36}, or {@code 36-40} with both ends included.
 *
 * @param first the smallest size
 * @param last the largest size; equal to {@code first} for a single size
 */
public record SizeRange(int first, int last) {
  public static final int SMALLEST = 1;
  public static final int LARGEST = 999;
  public static final int MAX_SIZES = 100;

  public SizeRange {
    check(first, last, null);
  }

  /** Parses {@code <n>} or {@code <n>-<m>}. Checks the bounds before it expands anything. */
  public static SizeRange parse(String text) {
    int dash = text.indexOf('-');
    if (text.length() > 64 || !isNumber(text, 0, dash < 0 ? text.length() : dash)) {
      throw new InvalidValue(ErrorCode.SIZE_FORMAT, text);
    }
    if (dash < 0) {
      int only = bounded(text, text);
      check(only, only, text);
      return new SizeRange(only, only);
    }
    if (!isNumber(text, dash + 1, text.length())) {
      throw new InvalidValue(ErrorCode.SIZE_FORMAT, text);
    }
    int first = bounded(text.substring(0, dash), text);
    int last = bounded(text.substring(dash + 1), text);
    check(first, last, text);
    return new SizeRange(first, last);
  }

  private static boolean isNumber(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return end > start;
  }

  /** The sizes as written in a request: {@code 36} or {@code 36-40}. */
  public String text() {
    return first == last ? Integer.toString(first) : first + "-" + last;
  }

  /** The number of sizes. */
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

  private static void check(int first, int last, @Nullable String written) {
    boolean possible =
        first >= SMALLEST && first <= last && last <= LARGEST && last - first < MAX_SIZES;
    if (possible) {
      return;
    }
    String text = written == null ? first + "-" + last : written;
    if (first < SMALLEST || last < SMALLEST || first > LARGEST || last > LARGEST) {
      throw new InvalidValue(ErrorCode.SIZE_BOUNDS, text, SMALLEST, LARGEST);
    }
    if (first > last) {
      throw new InvalidValue(ErrorCode.SIZE_ORDER, text, last + "-" + first);
    }
    throw new InvalidValue(ErrorCode.SIZE_TOO_MANY, text, last - first + 1, MAX_SIZES);
  }
}
