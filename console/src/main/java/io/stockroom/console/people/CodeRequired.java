package io.stockroom.console.people;

/**
 * The person passed the first step and must enter a code.
 *
 * @param ticket identifies the half-done sign-in; the browser sends it with the code
 */
public record CodeRequired(String ticket) implements SignInStep {
  /** Keeps the ticket out of logs. */
  @Override
  public String toString() {
    return "CodeRequired[…]";
  }
}
