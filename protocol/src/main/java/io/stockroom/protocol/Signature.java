package io.stockroom.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The signature of the interface: the MD5 hash of the application secret followed immediately by
 * the decimal Unix time in seconds, as 32 hexadecimal characters in upper case.
 */
public final class Signature {
  private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();

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
    return sign.length() == 32 && sign.chars().allMatch(HexFormat::isHexDigit);
  }

  private static byte[] digest(String secret, String timestamp) {
    MessageDigest md5 = md5();
    md5.update(secret.getBytes(StandardCharsets.UTF_8));
    md5.update(timestamp.getBytes(StandardCharsets.UTF_8));
    return md5.digest();
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has MD5", e);
    }
  }
}
