package io.stockroom.core.settings;

import java.util.Base64;

/** How the keys of the server must look. */
final class KeyForms {
  private static final int SECRET_KEY_BYTES = 32;
  private static final int MIN_CHARACTERS = 32;
  private static final int MIN_DISTINCT = 8;

  private KeyForms() {}

  static String secretKeys(String text) {
    for (String key : text.isBlank() ? new String[0] : text.split(",", -1)) {
      if (Base64.getUrlDecoder().decode(key.strip()).length != SECRET_KEY_BYTES) {
        throw new IllegalArgumentException("not 32 bytes");
      }
    }
    return text.strip();
  }

  /** A key that can be guessed would open the whole server. */
  static String operatorKey(String text) {
    String key = text.strip();
    boolean strong =
        key.length() >= MIN_CHARACTERS && key.chars().distinct().count() >= MIN_DISTINCT;
    if (!key.isEmpty() && !strong) {
      throw new IllegalArgumentException("too weak");
    }
    return key;
  }
}
