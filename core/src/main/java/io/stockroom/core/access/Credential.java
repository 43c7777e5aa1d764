package io.stockroom.core.access;

import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Network;
import io.stockroom.protocol.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An application and one of its tokens, as stored.
 *
 * @param secret the application's secret
 * @param previousSecret the one before it, which still works until {@code previousUntil}; where
 *     there is none, a text that signs nothing, so that every check costs the same
 * @param stoppedAt since when an operator keeps the application disabled; null where it is not
 * @param token what the token allows; null where the application has no such token
 */
record Credential(
    int applicationId,
    String appid,
    String secret,
    String previousSecret,
    Instant previousUntil,
    Signing signing,
    List<Network> networks,
    @Nullable Instant stoppedAt,
    @Nullable Token token) {

  /** Application and token, as they were sent. */
  record Key(String appid, String accesstoken) {
    @Override
    public String toString() {
      return "Key[appid=" + appid + "]";
    }
  }

  /** Stands in for an unknown application, and costs the same as a known one. */
  static final Credential UNKNOWN =
      new Credential(
          0,
          "",
          "no application has this secret",
          "nor this one",
          Instant.MIN,
          Signing.FREE,
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

  /**
   * Always tries both secrets, so that timing does not reveal which one is right.
   *
   * @param madeWith whether the signature was made with a secret
   */
  boolean isSigned(Predicate<String> madeWith, Instant now) {
    boolean present = madeWith.test(secret);
    boolean previous = madeWith.test(previousSecret);
    return present || (previous && now.isBefore(previousUntil));
  }

  /** Keeps the secrets out of logs. */
  @Override
  public String toString() {
    return "Credential[appid=" + appid + ", token=" + token + "]";
  }
}
