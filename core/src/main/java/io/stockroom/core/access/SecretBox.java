package io.stockroom.core.access;

import io.stockroom.protocol.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets for the database: AES-256-GCM, bound to the application or person they belong to.
 * It knows several keys during a rotation: it seals with the first and opens with whichever sealed.
 */
public class SecretBox {
  private static final int ID_BYTES = 4;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private record Key(byte[] id, SecretKeySpec spec) {}

  private final Supplier<List<String>> source;
  private final SecureRandom random = new SecureRandom();
  private volatile List<Key> keys;

  /**
   * @param source the keys, each 32 bytes in base64url, the one to seal with first; asked again
   *     when a secret turns up that was sealed with a key not known yet
   */
  public SecretBox(Supplier<List<String>> source) {
    this.source = source;
    this.keys = read(source.get());
  }

  /**
   * Reads the keys again from where they came. Those known before still open: a secret may have
   * been read from the database just before it was sealed anew.
   */
  public synchronized void reload() {
    List<Key> fresh = read(source.get());
    List<Key> former =
        keys.stream()
            .filter(key -> fresh.stream().noneMatch(other -> Arrays.equals(other.id, key.id)))
            .toList();
    keys = Stream.concat(fresh.stream(), former.stream()).toList();
  }

  byte[] seal(String secret, String owner) {
    Key key = keys.getFirst();
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, key, nonce, owner)
              .doFinal(secret.getBytes(StandardCharsets.UTF_8));
      byte[] box = Arrays.copyOf(key.id, ID_BYTES + NONCE_BYTES + sealed.length);
      System.arraycopy(nonce, 0, box, ID_BYTES, NONCE_BYTES);
      System.arraycopy(sealed, 0, box, ID_BYTES + NONCE_BYTES, sealed.length);
      return box;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has AES-GCM", impossible);
    }
  }

  String open(byte[] box, String owner) {
    Key key = keyOf(box, owner);
    byte[] nonce = Arrays.copyOfRange(box, ID_BYTES, ID_BYTES + NONCE_BYTES);
    int start = ID_BYTES + NONCE_BYTES;
    try {
      byte[] opened =
          cipher(Cipher.DECRYPT_MODE, key, nonce, owner).doFinal(box, start, box.length - start);
      return new String(opened, StandardCharsets.UTF_8);
    } catch (GeneralSecurityException damaged) {
      throw new IllegalStateException("The secret of " + owner + " is damaged.", damaged);
    }
  }

  private Key keyOf(byte[] box, String owner) {
    byte[] id = Arrays.copyOf(box, ID_BYTES);
    for (int attempt = 0; attempt < 2; attempt++) {
      for (Key key : keys) {
        if (Arrays.equals(key.id, id)) {
          return key;
        }
      }
      reload();
    }
    throw new IllegalStateException(
        "The secret of "
            + owner
            + " was sealed with another key than this server has. All nodes need the same"
            + " secret-key setting or secret.key file.");
  }

  private static List<Key> read(List<String> texts) {
    return texts.stream().map(SecretBox::key).toList();
  }

  private static Key key(String base64) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(base64.strip());
    } catch (IllegalArgumentException notBase64) {
      throw new IllegalArgumentException("The secret key is not base64url.", notBase64);
    }
    if (bytes.length != 32) {
      throw new IllegalArgumentException(
          "The secret key has " + bytes.length + " bytes; it must have 32, in base64url.");
    }
    return new Key(id(bytes), new SecretKeySpec(bytes, "AES"));
  }

  private static byte[] id(byte[] key) {
    return Arrays.copyOf(Sha256.of(key), ID_BYTES);
  }

  private static Cipher cipher(int mode, Key key, byte[] nonce, String owner)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key.spec, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(owner.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
