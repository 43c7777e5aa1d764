package io.stockroom.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.OptionalLong;

/** Formats progress: a bar if the total is known, amount, rate and remaining time. */
final class Progress {
  private static final double FIRST_RATE_SECONDS = 1;

  private final UsageBar bar;
  private final long startNanos = System.nanoTime();

  Progress(Shell shell) {
    this.bar = UsageBar.in(shell.err().charset());
  }

  /**
   * The current line.
   *
   * @param total 0 if unknown
   * @param unit {@code bytes} or {@code products}
   */
  String line(String doing, long done, long total, String unit) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    StringBuilder line = new StringBuilder(doing).append("  ");
    if (total > 0) {
      line.append(bar.of(done, total))
          .append(String.format(Locale.ROOT, " %3d%%  ", Math.min(100, done * 100 / total)));
    }
    line.append(amount(done, total, unit));
    if (seconds >= FIRST_RATE_SECONDS && done > 0) {
      double rate = done / seconds;
      line.append("  ").append(number((long) rate, unit));
      line.append(unit.equals("bytes") ? " MB/s" : "/s");
      if (total > done) {
        line.append("  ").append(time(Math.round((total - done) / rate))).append(" left");
      }
    }
    return line.toString();
  }

  /** A readable amount: {@code 1.5 of 3.0 MB}, {@code 1,200 of 5,000 products}. */
  static String amount(long done, long total, String unit) {
    String of = total <= 0 ? "" : " of " + number(total, unit);
    boolean isSingle = unit.equals("products") && (total > 0 ? total : done) == 1;
    String shown = unit.equals("bytes") ? "MB" : unit;
    return number(done, unit) + of + " " + (isSingle ? "product" : shown);
  }

  /** Bytes in megabytes. */
  private static String number(long number, String unit) {
    return unit.equals("bytes")
        ? String.format(Locale.ROOT, "%.1f", number / 1e6)
        : String.format(Locale.ROOT, "%,d", number);
  }

  private static String time(long seconds) {
    if (seconds < 60) {
      return Math.max(1, seconds) + " s";
    }
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60)
        : String.format(Locale.ROOT, "%d:%02d h", seconds / 3600, seconds / 60 % 60);
  }

  /** Draws how much of a stream was read, if there is a terminal. */
  static InputStream drawn(
      InputStream stream, String doing, OptionalLong length, LiveLine line, Shell shell) {
    Progress progress = new Progress(shell);
    return new FilterInputStream(stream) {
      private long count;

      @Override
      public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
      }

      @Override
      public int read(byte[] buffer, int offset, int size) throws IOException {
        int read = super.read(buffer, offset, size);
        count += Math.max(read, 0);
        if (line.isDue()) {
          line.draw(progress.line(doing, count, length.orElse(0), "bytes"));
        }
        return read;
      }
    };
  }
}
