package io.stockroom.console.imports;

import java.util.Locale;

/** Formats file sizes for people. */
final class FileSizes {
  private static final String[] UNITS = {"KB", "MB", "GB"};

  private FileSizes() {}

  static String bytes(long bytes) {
    if (bytes < 1000) {
      return bytes + " B";
    }
    double amount = bytes / 1000.0;
    int unit = 0;
    while (amount >= 999.95 && unit < UNITS.length - 1) {
      amount /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", amount, UNITS[unit]);
  }
}
