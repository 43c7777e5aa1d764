package io.stockroom.console.people;

/**
 * The cookies that a browser gets at sign-in: the session id, and the mark that identifies the
 * browser next time.
 */
public record SignedIn(String session, String mark) implements SignInStep {
  /** Keeps both out of logs. */
  @Override
  public String toString() {
    return "SignedIn[…]";
  }
}
