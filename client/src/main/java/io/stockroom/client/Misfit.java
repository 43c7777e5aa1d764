package io.stockroom.client;

/** A JSON response that does not have the form that the call promises. */
final class Misfit extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String what;

  Misfit(String what) {
    super(what);
    this.what = what;
  }

  String what() {
    return what;
  }
}
