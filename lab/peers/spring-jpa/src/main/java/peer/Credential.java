package peer;

import java.time.Instant;

/** What a call is authenticated with, and whom it acts for. */
public record Credential(
    Integer applicationId,
    String secret,
    Integer merchantId,
    String boundStore,
    Instant expiresAt,
    Instant revokedAt) {
  boolean isUsable(Instant now) {
    return revokedAt == null && (expiresAt == null || expiresAt.isAfter(now));
  }
}
