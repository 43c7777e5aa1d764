package io.stockroom.demo.generate;

/** EAN-13 codes with prefix 2, which no article in a real shop has. */
final class GeneratedBarcode {
  private static final long BEGINNING = 200_000_000_000L;

  private GeneratedBarcode() {}

  /** Unique for up to 10,000,000,000 entries. */
  static String of(long entry) {
    long twelveDigits = BEGINNING + entry;
    int sum = 0;
    long left = twelveDigits;
    for (int place = 0; place < 12; place++) {
      sum += (int) (left % 10) * (place % 2 == 0 ? 3 : 1);
      left /= 10;
    }
    return Long.toString(twelveDigits) + (10 - sum % 10) % 10;
  }
}
