package io.stockroom.server.access;

import io.stockroom.protocol.Scope;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the database knows of an application and one of its tokens.
 *
 * @param secret the application's secret
 * @param token what the token allows; null where the application has no such token
 */
record Grant(String secret, @Nullable Token token) {
  record Token(
      Caller caller, Set<Scope> scopes, @Nullable Instant expiresAt, @Nullable Instant revokedAt) {}

  /** Keeps the secret out of logs. */
  @Override
  public String toString() {
    return "Grant[token=" + token + "]";
  }
}
