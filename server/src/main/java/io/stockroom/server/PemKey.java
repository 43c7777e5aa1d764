package io.stockroom.server;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A private key in PEM form: PKCS #8, or one of the older forms of RSA (PKCS #1) and EC (SEC 1)
 * keys, which need the frame of PKCS #8 for the JDK to read them.
 */
final class PemKey {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN (|RSA |EC )PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END ");

  private static final int INTEGER = 0x02;
  private static final int OCTETS = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final int PARAMETERS = 0xA0;

  private static final byte[] VERSION = {INTEGER, 1, 0};
  private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");
  private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

  private PemKey() {}

  /** The key; fails if there is none, or if it is encrypted. */
  static PrivateKey read(String text) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(text);
    if (!block.find()) {
      throw new InvalidKeySpecException("no unencrypted private key");
    }
    byte[] der = Base64.getMimeDecoder().decode(block.group(2));
    byte[] key =
        switch (block.group(1)) {
          case "RSA " -> framed(RSA, der);
          case "EC " -> framed(joined(EC, curve(der)), der);
          default -> der;
        };
    GeneralSecurityException last = new NoSuchAlgorithmException();
    for (String algorithm : new String[] {"RSA", "EC", "EdDSA"}) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key));
      } catch (InvalidKeySpecException other) {
        last = other;
      }
    }
    throw last;
  }

  private static byte[] framed(byte[] algorithm, byte[] key) {
    return element(SEQUENCE, joined(VERSION, element(SEQUENCE, algorithm), element(OCTETS, key)));
  }

  /** The curve of an EC key, which PKCS #8 has in another place. */
  private static byte[] curve(byte[] der) throws InvalidKeySpecException {
    try {
      int at = contentAt(der, 0);
      while ((der[at] & 0xFF) != PARAMETERS) {
        at = contentAt(der, at) + lengthAt(der, at);
      }
      int start = contentAt(der, at);
      return Arrays.copyOfRange(der, start, start + lengthAt(der, at));
    } catch (ArrayIndexOutOfBoundsException malformed) {
      throw new InvalidKeySpecException("the key names no curve", malformed);
    }
  }

  /** Where the content of the element begins: after its tag and its length. */
  private static int contentAt(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    return at + 2 + (first < 0x80 ? 0 : first - 0x80);
  }

  private static int lengthAt(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = at + 2; i < contentAt(der, at); i++) {
      length = (length << 8) | (der[i] & 0xFF);
    }
    return length;
  }

  private static byte[] element(int tag, byte[] content) {
    int length = content.length;
    byte[] head =
        length < 0x80
            ? new byte[] {(byte) tag, (byte) length}
            : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
    return joined(head, content);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
