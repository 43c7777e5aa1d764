package io.stockroom.client;

/** An answer that is JSON, but not of the form that the call promises. */
final class Misfit extends RuntimeException {
  private static final long serialVersionUID = 1;

  Misfit(String message) {
    super(message);
  }
}
