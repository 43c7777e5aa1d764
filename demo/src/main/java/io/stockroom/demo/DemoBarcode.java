package io.stockroom.demo;

import java.util.Locale;

/**
 * EAN-13 codes with prefix 2, which is reserved for in-store use, so none belongs to a real
 * article.
 */
final class DemoBarcode {
  private DemoBarcode() {}

  /** Unique for up to 99 merchants, 9999 products each and 9999 entries each. */
  static String of(int merchant, int product, int entry) {
    String digits = String.format(Locale.ROOT, "29%02d%04d%04d", merchant, product, entry);
    return digits + checkDigit(digits);
  }

  /** The check digit: it makes the weighted sum of all thirteen digits a multiple of ten. */
  static int checkDigit(String twelveDigits) {
    int sum = 0;
    for (int place = 0; place < 12; place++) {
      sum += (twelveDigits.charAt(place) - '0') * (place % 2 == 0 ? 1 : 3);
    }
    return (10 - sum % 10) % 10;
  }
}
