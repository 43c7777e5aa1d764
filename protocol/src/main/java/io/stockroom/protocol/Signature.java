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
 * decimal Unix time in seconds, as 32 hexadecimal characters in upper case. It says nothing of the
 * request, so whoever sees it can sign another with it for as long as the time holds.
 *
 * <p>The stronger one, which a request chooses with the header {@code sign-method: hmac-sha256}, is
 * the HMAC-SHA256 under the secret of five lines without a newline at the end: method, path with
 * its query, timestamp, access token, and the SHA-256 of the body in lower-case hexadecimal. A
 * request with the header {@code sign-nonce} adds the nonce as the sixth line. The body is what
 * goes over the wire: compressed, where it is sent so. It is written as 64 hexadecimal characters
 * in upper case.
 */
public final class Signature {
  /** The fewest characters of a nonce: enough that random ones never meet. */
  public static final int MIN_NONCE_CHARACTERS = 16;

  public static final int MAX_NONCE_CHARACTERS = 64;

  private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();

  private static final MessageDigest MD5 = messageDigest("MD5");

  private Signature() {}

  /** Signs {@code timestamp}, the Unix time in seconds written as it goes into the header. */
  public static String sign(String secret, String timestamp) {
    return UPPER_HEX.formatHex(digest(secret, timestamp));
  }

  /**
   * Says whether {@code sign} is the signature of {@code timestamp}, in time that does not depend
   * on how much of it is right. Lower case is accepted; any other form than 32 hexadecimal
   * characters is not.
   */
  public static boolean matches(String secret, String timestamp, String sign) {
    return isWellFormed(sign)
        && MessageDigest.isEqual(digest(secret, timestamp), HexFormat.of().parseHex(sign));
  }

  /** Says whether {@code sign} has the form of a signature: 32 hexadecimal characters. */
  public static boolean isWellFormed(String sign) {
    return isHexadecimal(sign, 32);
  }

  /**
   * Signs a whole request.
   *
   * @param secret the application's secret, which is not empty
   * @param method the HTTP method in upper case
   * @param path the path exactly as it is sent, with {@code ?} and the query where there is one
   * @param timestamp the Unix time in seconds, written as it goes into the header
   * @param body the bytes of the body; none when there is no body
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
   * The lines that the stronger signature signs.
   *
   * @param body the bytes of the body as they are sent; none when there is no body
   * @param nonce the value of the header {@code sign-nonce}; empty where it is not sent
   */
  public static String signedText(
      String method, String path, String timestamp, String accesstoken, byte[] body, String nonce) {
    String bodyHash = HexFormat.of().formatHex(messageDigest("SHA-256").digest(body));
    String text = String.join("\n", method, path, timestamp, accesstoken, bodyHash);
    return nonce.isEmpty() ? text : text + "\n" + nonce;
  }

  /** Says whether {@code nonce} can stand in the header {@code sign-nonce}. */
  public static boolean isWellFormedNonce(String nonce) {
    return nonce.length() >= MIN_NONCE_CHARACTERS
        && nonce.length() <= MAX_NONCE_CHARACTERS
        && nonce.chars().allMatch(c -> c > ' ' && c < 127);
  }

  /**
   * Says whether {@code sign} is the {@link #hmac} of the request, in time that does not depend on
   * how much of it is right. Lower case is accepted; any other form than 64 hexadecimal characters
   * is not.
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

  /** As {@link #hmac(String, String)}, for a signature that was sent. */
  public static boolean hmacMatches(String secret, String text, String sign) {
    return isWellFormedHmac(sign)
        && MessageDigest.isEqual(code(secret, text), HexFormat.of().parseHex(sign));
  }

  /** Says whether {@code sign} has the form of an {@link #hmac}: 64 hexadecimal characters. */
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

  /**
   * A copy of one that is kept: to ask the providers of the JDK anew costs as much as the digest.
   */
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
