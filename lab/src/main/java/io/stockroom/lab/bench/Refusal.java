package io.stockroom.lab.bench;

/** A benchmark that cannot continue; the message says what, where and what to do. */
final class Refusal extends RuntimeException {
  Refusal(String message) {
    super(message);
  }

  Refusal(String message, Throwable cause) {
    super(message, cause);
  }
}
