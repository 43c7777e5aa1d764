package io.stockroom.client;

/** A JSON response that does not have the form that the call promises. */
final class MalformedResponse extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String what;

  MalformedResponse(String what) {
    super(what);
    this.what = what;
  }

  String what() {
    return what;
  }
}
