package io.stockroom.server.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Seals secrets for the database: AES-256-GCM, bound to the application they belong to. */
public final class SecretBox {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  /** Takes the key as 32 bytes in base64url. */
  public SecretBox(String base64Key) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(base64Key);
    } catch (IllegalArgumentException notBase64) {
      throw new IllegalArgumentException("The secret key is not base64url.", notBase64);
    }
    if (bytes.length != 32) {
      throw new IllegalArgumentException(
          "The secret key has " + bytes.length + " bytes; it must have 32, in base64url.");
    }
    key = new SecretKeySpec(bytes, "AES");
  }

  byte[] seal(String secret, String appid) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, appid);
      byte[] sealed = cipher.doFinal(secret.getBytes(StandardCharsets.UTF_8));
      byte[] box = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, box, NONCE_BYTES, sealed.length);
      return box;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has AES-GCM", impossible);
    }
  }

  String open(byte[] box, String appid) {
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(box, NONCE_BYTES), appid);
      return new String(
          cipher.doFinal(box, NONCE_BYTES, box.length - NONCE_BYTES), StandardCharsets.UTF_8);
    } catch (GeneralSecurityException wrongKey) {
      throw new IllegalStateException(
          "The secret of application "
              + appid
              + " cannot be opened with this server's secret key. All nodes need the same"
              + " secret-key setting or secret.key file.",
          wrongKey);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, String appid) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(appid.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
