package io.stockroom.cli;

import java.util.Locale;

/** Formats progress: a bar if the total is known, amount, rate and remaining time. */
final class ProgressText {
  private static final double FIRST_RATE_SECONDS = 1;

  private final UsageBar bar;
  private final long startNanos;

  ProgressText(UsageBar bar, long startNanos) {
    this.bar = bar;
    this.startNanos = startNanos;
  }

  /**
   * The current line.
   *
   * @param total 0 if unknown
   * @param unit {@code bytes} or {@code products}
   */
  String line(String doing, long done, long total, String unit, long nowNanos) {
    double seconds = (nowNanos - startNanos) / 1e9;
    StringBuilder line = new StringBuilder(doing).append("  ");
    if (total > 0) {
      line.append(bar.of(done, total))
          .append(String.format(Locale.ROOT, " %3d%%  ", Math.min(100, done * 100 / total)));
    }
    line.append(amount(done, total, unit));
    if (seconds >= FIRST_RATE_SECONDS && done > 0) {
      double rate = done / seconds;
      line.append("  ").append(rate(rate, unit));
      if (total > done) {
        line.append("  ").append(time(Math.round((total - done) / rate))).append(" left");
      }
    }
    return line.toString();
  }

  /** A readable amount: {@code 1.5 of 3.0 MB}, {@code 1,200 of 5,000 products}. */
  static String amount(long done, long total, String unit) {
    boolean bytes = unit.equals("bytes");
    String shown = bytes ? megabytes(done) : String.format(Locale.ROOT, "%,d", done);
    String of =
        total <= 0
            ? ""
            : " of " + (bytes ? megabytes(total) : String.format(Locale.ROOT, "%,d", total));
    boolean single = unit.equals("products") && (total > 0 ? total : done) == 1;
    return shown + of + " " + (bytes ? "MB" : single ? "product" : unit);
  }

  private static String rate(double rate, String unit) {
    return unit.equals("bytes")
        ? megabytes((long) rate) + " MB/s"
        : String.format(Locale.ROOT, "%,d/s", Math.round(rate));
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / 1e6);
  }

  private static String time(long seconds) {
    if (seconds < 60) {
      return Math.max(1, seconds) + " s";
    }
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60)
        : String.format(Locale.ROOT, "%d:%02d h", seconds / 3600, seconds / 60 % 60);
  }
}
