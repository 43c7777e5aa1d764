package io.stockroom.core.access;

import io.stockroom.core.access.Authenticator.SignedHeaders;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Network;
import io.stockroom.protocol.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An application and one of its tokens, as stored.
 *
 * @param secret the application's secret
 * @param previousSecret the one before it, which still works until {@code previousUntil}; where
 *     there is none, a text that signs nothing, so that every check costs the same
 * @param stoppedAt since when an operator keeps the application stopped; null where it is not
 * @param token what the token allows; null where the application has no such token
 */
record StoredCredential(
    int applicationId,
    String appid,
    String secret,
    String previousSecret,
    Instant previousUntil,
    boolean requireHmac,
    List<Network> networks,
    @Nullable Instant stoppedAt,
    @Nullable Token token) {

  /** Stands in for an unknown application, and costs the same as a known one. */
  static final StoredCredential UNKNOWN =
      new StoredCredential(
          0,
          "",
          "no application has this secret",
          "nor this one",
          Instant.MIN,
          false,
          List.of(),
          null,
          null);

  /** Since when and why an operator keeps a merchant suspended. */
  record Suspension(Instant since, String reason) {}

  record Token(
      int merchantId,
      int tokenId,
      String boundStore,
      Set<Scope> scopes,
      Limits limits,
      @Nullable Instant expiresAt,
      @Nullable Instant revokedAt,
      @Nullable Suspension suspension) {}

  /** Always tries both secrets, so that timing does not reveal which one is right. */
  boolean isSigned(SignedHeaders headers, Instant now) {
    boolean present = headers.signed().isMadeWith(secret);
    boolean previous = headers.signed().isMadeWith(previousSecret);
    return present || (previous && now.isBefore(previousUntil));
  }

  /** Keeps the secrets out of logs. */
  @Override
  public String toString() {
    return "StoredCredential[appid=" + appid + ", token=" + token + "]";
  }
}
