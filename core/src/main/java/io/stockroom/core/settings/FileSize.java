package io.stockroom.core.settings;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes of files as people write them. */
public final class FileSize {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})\\s*([kKmMgG]?)(i?)[bB]?");
  private static final long MOST = 64L << 30;

  private FileSize() {}

  /** Reads {@code 500MB} (millions), {@code 4GiB} (powers of two) or plain bytes. */
  static long parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a size");
    }
    long base = matcher.group(3).isEmpty() ? 1000 : 1024;
    long unit =
        switch (matcher.group(2).toUpperCase(Locale.ROOT)) {
          case "K" -> base;
          case "M" -> base * base;
          case "G" -> base * base * base;
          default -> 1;
        };
    long bytes = Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
    if (bytes < 1 || bytes > MOST) {
      throw new IllegalArgumentException("out of range");
    }
    return bytes;
  }

  /** A number of bytes as people read it. */
  public static String shown(long bytes) {
    if (bytes >= 1L << 30 && bytes % (1L << 30) == 0) {
      return (bytes >> 30) + " GiB";
    }
    if (bytes >= 1_000_000) {
      return bytes / 1_000_000 + " MB";
    }
    return bytes + " B";
  }
}
