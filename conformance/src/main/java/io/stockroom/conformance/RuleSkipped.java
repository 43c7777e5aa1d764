package io.stockroom.conformance;

/** A rule that cannot be checked with the merchant's data; the message says what is missing. */
final class RuleSkipped extends RuntimeException {
  RuleSkipped(String reason) {
    super(reason, null, false, false);
  }
}
