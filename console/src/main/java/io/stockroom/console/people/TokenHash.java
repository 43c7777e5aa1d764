package io.stockroom.console.people;

import io.stockroom.protocol.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/** Random tokens for cookies and links; the database stores only their SHA-256 hashes. */
final class TokenHash {
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private TokenHash() {}

  static String newToken() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static byte[] of(String token) {
    return Sha256.of(token);
  }
}
