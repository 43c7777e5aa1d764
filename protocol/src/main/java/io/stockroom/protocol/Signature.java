package io.stockroom.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signatures of the interface.
 *
 * <p>The documented one is the MD5 hash of the application secret followed immediately by the
 * decimal Unix time in seconds, as 32 uppercase hexadecimal characters. It does not cover the
 * request, so anyone who sees it can sign other requests until the timestamp expires.
 *
 * <p>The stronger one, which a request selects with the header {@code sign-method: hmac-sha256}, is
 * the HMAC-SHA256 with the secret over five lines without a final newline: method, path with query,
 * timestamp, access token, and the SHA-256 of the body in lowercase hexadecimal. With the header
 * {@code sign-nonce}, the nonce is the sixth line. With the header {@code Idempotency-Key}, the
 * sixth line is the nonce, empty without one, and the seventh is the key. The body is signed as
 * sent, so after compression. The result is 64 uppercase hexadecimal characters.
 */
public final class Signature {
  /** The minimum length of a nonce: long enough that random nonces never collide. */
  public static final int MIN_NONCE_CHARACTERS = 16;

  public static final int MAX_NONCE_CHARACTERS = 64;

  private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();

  private static final MessageDigest MD5 = messageDigest("MD5");

  private Signature() {}

  /** Signs {@code timestamp}, the Unix time in seconds exactly as in the header. */
  public static String sign(String secret, String timestamp) {
    return UPPER_HEX.formatHex(digest(secret, timestamp));
  }

  /**
   * Whether {@code sign} is the signature of {@code timestamp}. Compares in constant time. Accepts
   * lowercase, but nothing other than 32 hexadecimal characters.
   */
  public static boolean matches(String secret, String timestamp, String sign) {
    return isWellFormed(sign)
        && MessageDigest.isEqual(digest(secret, timestamp), HexFormat.of().parseHex(sign));
  }

  /** Whether {@code sign} has the form of a signature: 32 hexadecimal characters. */
  public static boolean isWellFormed(String sign) {
    return isHexadecimal(sign, 32);
  }

  /**
   * Signs a whole request.
   *
   * @param secret the application's secret, which is not empty
   * @param method the HTTP method in uppercase
   * @param path the path exactly as sent, with {@code ?} and the query if there is one
   * @param timestamp the Unix time in seconds, exactly as in the header
   * @param body the bytes of the body; empty if there is no body
   */
  public static String hmac(
      String secret,
      String method,
      String path,
      String timestamp,
      String accesstoken,
      byte[] body) {
    return hmac(secret, signedText(method, path, timestamp, accesstoken, body, ""));
  }

  /** The HMAC of a request whose {@link #signedText} is {@code text}. */
  public static String hmac(String secret, String text) {
    return UPPER_HEX.formatHex(code(secret, text));
  }

  /**
   * The text that {@link #hmac} signs.
   *
   * @param body the bytes of the body as sent; empty if there is no body
   * @param nonce the value of the header {@code sign-nonce}; empty if it is not sent
   * @param idempotencyKey the value of the header {@code Idempotency-Key}; empty if it is not sent
   */
  public static String signedText(
      String method,
      String path,
      String timestamp,
      String accesstoken,
      byte[] body,
      String nonce,
      String idempotencyKey) {
    return signedTextOf(
        method, path, timestamp, accesstoken, bodyHash(body), nonce, idempotencyKey);
  }

  /** Like {@link #signedText}, without an idempotency key. */
  public static String signedText(
      String method, String path, String timestamp, String accesstoken, byte[] body, String nonce) {
    return signedText(method, path, timestamp, accesstoken, body, nonce, "");
  }

  /** The SHA-256 of a body, in lowercase hexadecimal digits. */
  public static String bodyHash(byte[] body) {
    return HexFormat.of().formatHex(messageDigest("SHA-256").digest(body));
  }

  /**
   * Like {@link #signedText}, for a body that is too large to be held.
   *
   * @param bodyHash the SHA-256 of the body as sent, in lowercase hexadecimal digits
   */
  public static String signedTextOf(
      String method,
      String path,
      String timestamp,
      String accesstoken,
      String bodyHash,
      String nonce,
      String idempotencyKey) {
    String text = String.join("\n", method, path, timestamp, accesstoken, bodyHash);
    if (!idempotencyKey.isEmpty()) {
      return String.join("\n", text, nonce, idempotencyKey);
    }
    return nonce.isEmpty() ? text : text + "\n" + nonce;
  }

  /** Whether {@code nonce} is valid in the header {@code sign-nonce}. */
  public static boolean isWellFormedNonce(String nonce) {
    return nonce.length() >= MIN_NONCE_CHARACTERS
        && nonce.length() <= MAX_NONCE_CHARACTERS
        && nonce.chars().allMatch(c -> c > ' ' && c < 127);
  }

  /**
   * Whether {@code sign} is the {@link #hmac} of the request. Compares in constant time. Accepts
   * lowercase, but nothing other than 64 hexadecimal characters.
   */
  public static boolean hmacMatches(
      String secret,
      String method,
      String path,
      String timestamp,
      String accesstoken,
      byte[] body,
      String sign) {
    return hmacMatches(secret, signedText(method, path, timestamp, accesstoken, body, ""), sign);
  }

  /** Like {@link #hmac(String, String)}, but compares with a received signature. */
  public static boolean hmacMatches(String secret, String text, String sign) {
    return isWellFormedHmac(sign)
        && MessageDigest.isEqual(code(secret, text), HexFormat.of().parseHex(sign));
  }

  /** Whether {@code sign} has the form of an {@link #hmac}: 64 hexadecimal characters. */
  public static boolean isWellFormedHmac(String sign) {
    return isHexadecimal(sign, 64);
  }

  private static boolean isHexadecimal(String sign, int length) {
    if (sign.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (!HexFormat.isHexDigit(sign.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static byte[] digest(String secret, String timestamp) {
    MessageDigest md5 = md5();
    md5.update(secret.getBytes(StandardCharsets.UTF_8));
    md5.update(timestamp.getBytes(StandardCharsets.UTF_8));
    return md5.digest();
  }

  private static byte[] code(String secret, String text) {
    return mac(secret).doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Mac mac(String secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** Clones a prototype: looking up the provider costs as much as the digest itself. */
  private static MessageDigest md5() {
    try {
      return (MessageDigest) MD5.clone();
    } catch (CloneNotSupportedException e) {
      return messageDigest("MD5");
    }
  }

  private static MessageDigest messageDigest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }
}
