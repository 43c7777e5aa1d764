package io.stockroom.conformance;

/** A rule does not hold; the message says what was expected and what came. */
final class Broken extends RuntimeException {
  Broken(String message) {
    super(message, null, false, false);
  }
}
