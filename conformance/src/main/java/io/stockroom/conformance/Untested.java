package io.stockroom.conformance;

/** A rule that cannot be checked with the merchant's data; the message says what is missing. */
final class Untested extends RuntimeException {
  Untested(String reason) {
    super(reason, null, false, false);
  }
}
