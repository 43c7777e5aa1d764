package io.stockroom.console.applications;

import io.stockroom.core.access.Tokens;
import java.time.Instant;

/**
 * A token as listed on a page.
 *
 * @param state selects the label {@code token.state.STATE}
 */
public record TokenRow(Tokens.Token token, String state) {
  static TokenRow of(Tokens.Token token, Instant now) {
    Instant expiresAt = token.expiresAt();
    boolean expired = expiresAt != null && !now.isBefore(expiresAt);
    return new TokenRow(
        token, token.revokedAt() != null ? "revoked" : expired ? "expired" : "works");
  }

  public boolean works() {
    return state.equals("works");
  }
}
