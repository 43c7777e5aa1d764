package io.stockroom.client;

import java.util.List;

/**
 * The server rejects the caller: wrong credentials, an expired or revoked token, a missing scope, a
 * forbidden IP address, or a wrong clock. The SDK never retries it; {@link #problems} says what to
 * fix.
 */
public final class AuthenticationException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final List<Problem> problems;

  AuthenticationException(String words, Origin origin, List<Problem> problems) {
    super(words, origin, null);
    this.problems = List.copyOf(problems);
  }

  /** {@return what is wrong, and in which header} */
  public List<Problem> problems() {
    return problems;
  }
}
