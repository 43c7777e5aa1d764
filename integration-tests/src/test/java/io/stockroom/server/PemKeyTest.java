package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemKeyTest {
  /** Before the key of 2,048 bits in the frame of PKCS #8. */
  private static final int FRAME = 26;

  /** Made by {@code openssl ecparam -name prime256v1 -genkey}. */
  private static final String SEC_1 =
      """
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIPEzTg2zzZkKyJ2WhjAKx9azwpHKkBJWj6cPf/jh1sQgoAoGCCqGSM49
      AwEHoUQDQgAE26XFEQEdUE8WnllOUZ94IYh1/9Rs4WvTNwV8cpcpdCoeq4GsUjOV
      k2xCCQ8sIBpkHmmcs0DX/nbvNDDGWoQeTw==
      -----END EC PRIVATE KEY-----
      """;

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void readsPkcs8(String algorithm) throws Exception {
    PrivateKey key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();

    assertThat(PemKey.read(pem("", key.getEncoded()))).isEqualTo(key);
  }

  @Test
  void readsPkcs1() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    PrivateKey key = generator.generateKeyPair().getPrivate();
    byte[] inner = Arrays.copyOfRange(key.getEncoded(), FRAME, key.getEncoded().length);

    assertThat(PemKey.read(pem("RSA ", inner))).isEqualTo(key);
  }

  @Test
  void readsSec1() throws Exception {
    ECPrivateKey key = (ECPrivateKey) PemKey.read(SEC_1);

    assertThat(key.getS().toString(16)).startsWith("f1334e0db3cd990a").endsWith("d6c420");
    assertThat(key.getParams().getCurve().getField().getFieldSize()).isEqualTo(256);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ENCRYPTED ", "EC ", "RSA "})
  void rejectsAnythingElse(String kind) {
    String text = kind.isEmpty() ? "no key" : pem(kind, new byte[] {0x30, 3, 2, 1, 1});

    assertThatThrownBy(() -> PemKey.read(text)).isInstanceOf(InvalidKeySpecException.class);
  }

  private static String pem(String kind, byte[] der) {
    return "-----BEGIN %1$sPRIVATE KEY-----\n%2$s\n-----END %1$sPRIVATE KEY-----\n"
        .formatted(kind, Base64.getMimeEncoder().encodeToString(der));
  }
}
