package io.stockroom.server.access;

import io.stockroom.protocol.Signature;

/**
 * Who a request says it is from: the authentication headers, right in form and not yet believed.
 *
 * @param signed what the signature covers
 * @param address where the request came from
 */
public record Claim(
    String appid,
    String sign,
    String timestamp,
    String accesstoken,
    Signed signed,
    String address) {

  /** What a signature covers beside the secret and the timestamp. */
  public sealed interface Signed {
    /** The signature of the interface: nothing else. */
    record Md5() implements Signed {}

    /** {@code sign-method: hmac-sha256}: the whole request. */
    record Hmac(String method, String path, byte[] body) implements Signed {}
  }

  boolean isSignedWith(String secret) {
    return switch (signed) {
      case Signed.Md5() -> Signature.matches(secret, timestamp, sign);
      case Signed.Hmac(String method, String path, byte[] body) ->
          Signature.hmacMatches(secret, method, path, timestamp, accesstoken, body, sign);
    };
  }

  /** Keeps the token out of logs. */
  @Override
  public String toString() {
    return "Claim[appid=" + appid + ", timestamp=" + timestamp + "]";
  }
}
