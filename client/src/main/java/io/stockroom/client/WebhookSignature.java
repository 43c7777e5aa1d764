package io.stockroom.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The symmetric signature of the Standard Webhooks specification: {@code v1,<base64>}. */
final class WebhookSignature {
  private static final String PREFIX = "whsec_";
  private static final String VERSION = "v1,";
  private static final String ALGORITHM = "HmacSHA256";

  private WebhookSignature() {}

  /** Decodes a secret, with or without its prefix. */
  static byte[] key(String secret) {
    String text = secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret;
    try {
      byte[] key = Base64.getDecoder().decode(text);
      if (key.length > 0) {
        return key;
      }
    } catch (IllegalArgumentException notBase64) {
      // reported below, without the secret
    }
    throw new IllegalArgumentException(
        "A webhook secret is \"whsec_\" and Base64, as /Webhook/Create returned it.");
  }

  static byte[] sign(byte[] key, String id, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException unavailable) {
      throw new IllegalStateException("This Java has no " + ALGORITHM + ".", unavailable);
    }
  }

  /**
   * Whether any of the header's signatures is {@code expected}. Takes the same time wherever they
   * differ.
   */
  static boolean contains(String header, byte[] expected) {
    boolean found = false;
    for (byte[] signature : signatures(header)) {
      found |= MessageDigest.isEqual(signature, expected);
    }
    return found;
  }

  /** The signatures of version v1; ignores other versions. */
  private static List<byte[]> signatures(String header) {
    List<byte[]> signatures = new ArrayList<>();
    for (String part : header.split(" ", -1)) {
      if (part.startsWith(VERSION)) {
        try {
          signatures.add(Base64.getDecoder().decode(part.substring(VERSION.length())));
        } catch (IllegalArgumentException notBase64) {
          // no signature; another one may fit
        }
      }
    }
    return signatures;
  }
}
