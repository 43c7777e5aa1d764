package io.stockroom.server.testing;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Writes the bodies of create requests. */
public final class Stock {
  private Stock() {}

  /** A whole request. */
  public static String list(String... groups) {
    return "[" + String.join(",", groups) + "]";
  }

  public static String group(int pid, String color, String... sizes) {
    return "{\"color\":\"%s\",\"pid\":%d,\"param\":[%s]}"
        .formatted(color, pid, String.join(",", sizes));
  }

  public static String size(String size, int stock) {
    return "{\"size\":\"%s\",\"stock\":%d}".formatted(size, stock);
  }

  public static String size(String size, int stock, String barCode) {
    return "{\"size\":\"%s\",\"stock\":%d,\"barCode\":\"%s\"}".formatted(size, stock, barCode);
  }

  /** A request of one color and one size item. */
  public static String one(int pid, String color, String size, int stock) {
    return list(group(pid, color, size(size, stock)));
  }

  /** A request with this many colors, each in one size. */
  public static String colors(int pid, int count) {
    return join(IntStream.range(0, count).mapToObj(i -> group(pid, "c" + i, size("36", 1))));
  }

  /** A request with this many entries, in ranges of a hundred sizes and a rest. */
  public static String entries(int pid, int count) {
    return join(
        IntStream.range(0, (count + 99) / 100)
            .mapToObj(i -> group(pid, "c" + i, size("1-" + Math.min(100, count - i * 100), 1))));
  }

  private static String join(Stream<String> groups) {
    return groups.collect(Collectors.joining(",", "[", "]"));
  }
}
