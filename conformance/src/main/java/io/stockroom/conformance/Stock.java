package io.stockroom.conformance;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes the bodies of creates. */
final class Stock {
  /** The colors that the suite writes: always the same, so that a second run adds nothing. */
  static final String BEFORE = "conform B";

  static final String AFTER = "conform A";
  static final String RANGE = "conform range";
  static final String ACCENT = "conform \u00e9";

  private Stock() {}

  static String list(String... groups) {
    return "[" + String.join(",", groups) + "]";
  }

  static String group(int pid, String color, String size, int stock) {
    return group(pid, quoted(color), item(quoted(size), Integer.toString(stock)));
  }

  /** A color group; the values are JSON. */
  static String group(int pid, String color, String items) {
    return "{\"color\":%s,\"pid\":%d,\"param\":[%s]}".formatted(color, pid, items);
  }

  /** A size item; the values are JSON. */
  static String item(String size, String stock) {
    return "{\"size\":%s,\"stock\":%s}".formatted(size, stock);
  }

  /** A valid request that writes nothing, because its product does not exist. */
  static String harmless() {
    return list(group(Probe.MISSING, "conform", "36", 1));
  }

  /** {@code count} colors of a product that does not exist. */
  static String groups(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> group(Probe.MISSING, "conform " + i, "36", 1))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** {@code count} entries of a product that does not exist, a hundred sizes per color. */
  static String entries(int count) {
    return IntStream.range(0, (count + 99) / 100)
        .mapToObj(
            i -> {
              int sizes = Math.min(100, count - i * 100);
              return group(Probe.MISSING, "conform " + i, sizes == 1 ? "1" : "1-" + sizes, 1);
            })
        .collect(Collectors.joining(",", "[", "]"));
  }

  static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
