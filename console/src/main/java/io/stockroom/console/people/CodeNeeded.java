package io.stockroom.console.people;

/**
 * The first step is passed, and the person has a second factor.
 *
 * @param ticket what the browser shows together with the code
 */
public record CodeNeeded(String ticket) implements SignInStep {
  /** Keeps it out of logs. */
  @Override
  public String toString() {
    return "CodeNeeded[…]";
  }
}
