package io.stockroom.lab.bench;

/** A benchmark that cannot continue; the message says what, where and what to do. */
final class BenchException extends RuntimeException {
  BenchException(String message) {
    super(message);
  }

  BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
