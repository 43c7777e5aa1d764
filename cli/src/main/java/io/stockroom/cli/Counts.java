package io.stockroom.cli;

import java.util.Locale;

/** A count with its noun, in the singular or the plural. */
final class Counts {
  private Counts() {}

  static String of(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }
}
