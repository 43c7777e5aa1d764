package io.stockroom.client;

import java.util.List;

/**
 * The server does not let this caller in: wrong credentials, an expired or revoked token, a missing
 * scope, an address that may not call, a clock too far off. It is never retried; {@link #problems}
 * says what to mend.
 */
public final class AuthenticationException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final List<Problem> problems;

  AuthenticationException(String words, Origin origin, List<Problem> problems) {
    super(words, origin, null);
    this.problems = List.copyOf(problems);
  }

  /** {@return what is wrong, and at which header} */
  public List<Problem> problems() {
    return problems;
  }
}
