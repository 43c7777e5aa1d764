package io.stockroom.files.imports.write;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of an import's products: the items after {@code after}, up to {@code last}. Writing in
 * parts makes the progress visible; a product is never split.
 */
record ItemRange(int after, int last) {
  /** The number of records per statement; a large import has fewer, larger parts. */
  static final int RECORDS_AT_ONCE = 5_000;

  private static final int MAX_RANGES = 50;

  /** Splits all items into parts by the number of records to write. */
  static List<ItemRange> split(int last, long records) {
    long count = Math.clamp(records / RECORDS_AT_ONCE, 1, MAX_RANGES);
    List<ItemRange> ranges = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      ranges.add(new ItemRange((int) (last * i / count), (int) (last * (i + 1) / count)));
    }
    return ranges;
  }
}
