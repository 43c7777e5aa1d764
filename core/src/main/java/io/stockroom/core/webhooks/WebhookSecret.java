package io.stockroom.core.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Secrets and signatures of the Standard Webhooks specification, version {@code v1}. */
final class WebhookSecret {
  private static final String PREFIX = "whsec_";
  private static final int BYTES = 32;
  private static final String HMAC = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private WebhookSecret() {}

  static String create() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return PREFIX + Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * The header {@code webhook-signature}: one signature for each secret.
   *
   * @param timestamp the Unix time in seconds that the header {@code webhook-timestamp} has
   */
  static String sign(List<String> secrets, String messageId, long timestamp, byte[] body) {
    byte[] head = (messageId + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    return secrets.stream()
        .map(secret -> "v1," + signature(secret, head, body))
        .collect(Collectors.joining(" "));
  }

  private static String signature(String secret, byte[] head, byte[] body) {
    byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      mac.update(head);
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has " + HMAC, impossible);
    }
  }
}
