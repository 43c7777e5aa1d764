package io.stockroom.core.access;

import io.stockroom.protocol.Signature;

/**
 * The authentication headers of a request: right in form, not yet verified.
 *
 * @param signed the signature, and what it covers
 * @param address where the request came from
 */
public record SignedHeaders(
    String appid, String timestamp, String accesstoken, Signed signed, String address) {

  /** A signature. */
  public interface Signed {
    /** Says whether it was made with {@code secret}. */
    boolean isMadeWith(String secret);
  }

  /** The signature of the interface: it covers the timestamp alone. */
  public record Md5(String timestamp, String sign) implements Signed {
    @Override
    public boolean isMadeWith(String secret) {
      return Signature.matches(secret, timestamp, sign);
    }
  }

  /**
   * {@code sign-method: hmac-sha256}: it covers the whole request.
   *
   * @param text everything that is signed
   * @param nonce what makes the request different from every other; empty where it has none
   */
  public record Hmac(String text, String sign, String nonce) implements Signed {
    @Override
    public boolean isMadeWith(String secret) {
      return Signature.hmacMatches(secret, text, sign);
    }

    /** Keeps the token out of logs. */
    @Override
    public String toString() {
      return "Hmac[nonce=" + nonce + "]";
    }
  }

  /** Keeps the token out of logs. */
  @Override
  public String toString() {
    return "SignedHeaders[appid=" + appid + ", timestamp=" + timestamp + "]";
  }
}
