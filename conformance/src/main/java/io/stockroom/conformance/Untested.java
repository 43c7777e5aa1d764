package io.stockroom.conformance;

/** A rule cannot be tried on what the merchant has; the message says what is missing. */
final class Untested extends RuntimeException {
  Untested(String reason) {
    super(reason, null, false, false);
  }
}
