package io.stockroom.protocol;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of one size item: {@code 36}, {@code 36-40} with both ends included, or one text such
 * as {@code XL}.
 *
 * @param first the smallest size
 * @param last the largest size; equal to {@code first} for a single size
 */
public record SizeRange(Size first, Size last) {
  public static final int SMALLEST = 1;
  public static final int LARGEST = 999;
  public static final int MAX_SIZES = 100;

  public SizeRange {
    if (!first.equals(last)) {
      check(whole(first, first, last), whole(last, first, last), null);
    }
  }

  /** A single size. */
  public static SizeRange of(Size size) {
    return new SizeRange(size, size);
  }

  private static int whole(Size size, Size first, Size last) {
    return size.number()
        .orElseThrow(
            () -> new InvalidValue(ErrorCode.SIZE_FORMAT, first.text() + "-" + last.text()));
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
      return of(Size.of(only));
    }
    if (!isNumber(text, dash + 1, text.length())) {
      throw new InvalidValue(ErrorCode.SIZE_FORMAT, text);
    }
    int first = bounded(text.substring(0, dash), text);
    int last = bounded(text.substring(dash + 1), text);
    check(first, last, text);
    return new SizeRange(Size.of(first), Size.of(last));
  }

  /**
   * Like {@link #parse}, but also takes one text. A range of other sizes than whole numbers, such
   * as {@code S-XL}, is rejected: nobody knows which sizes it has.
   */
  public static SizeRange parseAny(String text) {
    int dash = text.indexOf('-');
    if (dash > 0 && isNumber(text, 0, dash) && isNumber(text, dash + 1, text.length())) {
      return parse(text);
    }
    Size size = Size.of(text);
    if (dash > 0 && isUsual(text.substring(0, dash)) && isUsual(text.substring(dash + 1))) {
      throw new InvalidValue(ErrorCode.SIZE_FORMAT, text);
    }
    return of(size);
  }

  private static boolean isUsual(String text) {
    return Size.find(text).map(Size::isUsual).orElse(false);
  }

  private static boolean isNumber(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return end > start;
  }

  /** The sizes as written in a request: {@code 36}, {@code 36-40} or {@code XL}. */
  public String text() {
    return count() == 1 ? first.text() : first.text() + "-" + last.text();
  }

  /** The number of sizes. */
  public int count() {
    return first.equals(last) ? 1 : value(last) - value(first) + 1;
  }

  /** Every size of the range, ascending. */
  public List<Size> sizes() {
    List<Size> sizes = new ArrayList<>(count());
    if (first.equals(last)) {
      sizes.add(first);
    } else {
      int end = value(last);
      for (int size = value(first); size <= end; size++) {
        sizes.add(Size.of(size));
      }
    }
    return sizes;
  }

  private static int value(Size size) {
    return size.number().orElseThrow();
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
