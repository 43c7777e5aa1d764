package io.stockroom.server.imports;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of an import's products: the items after {@code after}, up to {@code last}. What is
 * written in such parts can be seen to advance, and a product is never split.
 */
record ItemRange(int after, int last) {
  /** What one statement writes of a small import; of a large one it is a share of the whole. */
  static final int RECORDS_AT_ONCE = 5_000;

  private static final int MOST_RANGES = 50;

  /** All items up to the last, in as many parts as that many records are worth. */
  static List<ItemRange> split(int last, long records) {
    long count = Math.clamp(records / RECORDS_AT_ONCE, 1, MOST_RANGES);
    List<ItemRange> ranges = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      ranges.add(new ItemRange((int) (last * i / count), (int) (last * (i + 1) / count)));
    }
    return ranges;
  }
}
