package io.stockroom.conformance;

/** A violated rule; the message says what was expected and what was found. */
final class RuleViolation extends RuntimeException {
  RuleViolation(String message) {
    super(message, null, false, false);
  }
}
