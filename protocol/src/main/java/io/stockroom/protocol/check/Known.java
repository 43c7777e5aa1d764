package io.stockroom.protocol.check;

import io.stockroom.protocol.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the check knows besides the request. Each part may be missing; the report then lists what it
 * could not check.
 *
 * @param appid the application that the caller means
 * @param secret its secret
 * @param others secrets that the caller may have used by mistake
 * @param accesstoken the token that the caller means to send
 * @param token what the server knows about the token that was sent; null if no server was asked
 * @param clock when the request was sent or checked
 * @param requireHmac whether the application must sign with HMAC
 */
public record Known(
    @Nullable String appid,
    @Nullable String secret,
    List<OtherSecret> others,
    @Nullable String accesstoken,
    @Nullable TokenFacts token,
    @Nullable Clock clock,
    boolean requireHmac) {

  /** The default tolerance between a timestamp and the server's clock. */
  public static final int USUAL_WINDOW_SECONDS = 300;

  /** Another secret, which the caller may have used by mistake, and its name. */
  public record OtherSecret(String name, String secret) {
    @Override
    public String toString() {
      return "OtherSecret[" + name + "]";
    }
  }

  /**
   * What the server knows about a token.
   *
   * @param exists whether the token exists; if not, the other fields mean nothing
   * @param suspendedAt when its merchant was suspended; null if it is not
   */
  public record TokenFacts(
      boolean exists,
      String appid,
      Set<Scope> scopes,
      @Nullable Instant expiresAt,
      @Nullable Instant revokedAt,
      @Nullable Instant suspendedAt) {
    public static final TokenFacts UNKNOWN = new TokenFacts(false, "", Set.of(), null, null, null);
  }

  /**
   * The time to compare the timestamp with.
   *
   * @param ofRequest whether the request was sent at {@code now}; otherwise it is only checked now,
   *     and an old timestamp is no problem
   */
  public record Clock(Instant now, boolean ofRequest, int windowSeconds) {}

  public static Known nothing() {
    return new Known(null, null, List.of(), null, null, null, false);
  }

  public Known withSecret(@Nullable String known) {
    return new Known(appid, known, others, accesstoken, token, clock, requireHmac);
  }

  public Known withOthers(List<OtherSecret> known) {
    return new Known(appid, secret, List.copyOf(known), accesstoken, token, clock, requireHmac);
  }

  public Known withAppid(@Nullable String known) {
    return new Known(known, secret, others, accesstoken, token, clock, requireHmac);
  }

  public Known withAccesstoken(@Nullable String known) {
    return new Known(appid, secret, others, known, token, clock, requireHmac);
  }

  public Known withToken(@Nullable TokenFacts known) {
    return new Known(appid, secret, others, accesstoken, known, clock, requireHmac);
  }

  public Known withClock(@Nullable Clock known) {
    return new Known(appid, secret, others, accesstoken, token, known, requireHmac);
  }

  public Known withRequireHmac(boolean known) {
    return new Known(appid, secret, others, accesstoken, token, clock, known);
  }

  /** Keeps secrets and tokens out of logs. */
  @Override
  public String toString() {
    return "Known[appid=" + appid + "]";
  }
}
