package io.stockroom.console.people;

import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.util.encoders.Base32;

/**
 * Time-based one-time passwords (RFC 6238), with the parameters that every authenticator app
 * supports.
 */
public final class Totp {
  public static final int STEP_SECONDS = 30;
  public static final int DIGITS = 6;

  /** Tolerates a phone clock that is one step off. */
  private static final int STEPS_OFF = 1;

  private static final int SECRET_BYTES = 20;
  private static final int CODES = 1_000_000;
  private static final String ISSUER = "Stockroom";
  private static final SecureRandom RANDOM = new SecureRandom();

  private Totp() {}

  /** A new secret, in Base32. */
  static String newSecret() {
    byte[] bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return Base32.toBase32String(bytes);
  }

  /** The URI in the QR code. */
  public static String uri(String secret, String email) {
    String account = URLEncoder.encode(email, StandardCharsets.UTF_8).replace("+", "%20");
    return "otpauth://totp/%s:%s?secret=%s&issuer=%s&algorithm=SHA1&digits=%d&period=%d"
        .formatted(ISSUER, account, secret, ISSUER, DIGITS, STEP_SECONDS);
  }

  public static long step(Instant at) {
    return at.getEpochSecond() / STEP_SECONDS;
  }

  /** The code of one step, with leading zeros. */
  public static String code(String secret, long step) {
    byte[] hash;
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(Base32.decode(secret), "HmacSHA1"));
      hash = mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HmacSHA1", impossible);
    }
    int offset = hash[hash.length - 1] & 0xf;
    int number = ByteBuffer.wrap(hash).getInt(offset) & 0x7fff_ffff;
    return "%06d".formatted(number % CODES);
  }

  /**
   * The step near {@code now} with this code; -1 if there is none.
   *
   * @param lastStep this step and earlier ones are used already
   */
  static long match(String secret, String code, long now, long lastStep) {
    byte[] given = code.getBytes(StandardCharsets.UTF_8);
    long found = -1;
    for (long step = now - STEPS_OFF; step <= now + STEPS_OFF; step++) {
      boolean same =
          MessageDigest.isEqual(code(secret, step).getBytes(StandardCharsets.UTF_8), given);
      if (same && step > lastStep && found < 0) {
        found = step;
      }
    }
    return found;
  }
}
