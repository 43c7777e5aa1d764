package io.stockroom.demo;

import java.util.Locale;

/**
 * EAN-13 numbers of the range that begins with 2, which is set aside for use inside a company: none
 * of them is the number of something in a real shop.
 */
final class BarCode {
  private BarCode() {}

  /** Different for every merchant up to 99, product up to 9999 and entry up to 9999. */
  static String of(int merchant, int product, int entry) {
    String digits = String.format(Locale.ROOT, "29%02d%04d%04d", merchant, product, entry);
    return digits + checkDigit(digits);
  }

  /** The last digit: it brings the weighted sum of all thirteen to a multiple of ten. */
  static int checkDigit(String twelveDigits) {
    int sum = 0;
    for (int place = 0; place < 12; place++) {
      sum += (twelveDigits.charAt(place) - '0') * (place % 2 == 0 ? 1 : 3);
    }
    return (10 - sum % 10) % 10;
  }
}
