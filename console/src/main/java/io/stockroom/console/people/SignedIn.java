package io.stockroom.console.people;

/**
 * What a browser gets when somebody signs in: the session's id, and the mark by which it is known
 * the next time.
 */
public record SignedIn(String session, String mark) implements SignInStep {
  /** Keeps both out of logs. */
  @Override
  public String toString() {
    return "SignedIn[…]";
  }
}
