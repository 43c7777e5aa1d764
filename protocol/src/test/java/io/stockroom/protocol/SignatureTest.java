package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {
  private static final String SIGN = "E37729AF62F40F134311CFFBC230178E";

  /** Made with: printf 'secret1700000000' | md5sum. */
  @ParameterizedTest
  @CsvSource({
    "secret, 1700000000, E37729AF62F40F134311CFFBC230178E",
    "密钥, 1767225600, DDF1F0422405B83223B6BDA3E0CAEFA9",
    "s3cr3t-0123456789abcdef, 1767225600, 4CF86EB806D4469BD1E328D8E51DD9C5"
  })
  void isTheMd5OfSecretAndTimestampInUpperCase(String secret, String timestamp, String sign) {
    assertThat(Signature.sign(secret, timestamp)).isEqualTo(sign);
    assertThat(Signature.matches(secret, timestamp, sign)).isTrue();
  }

  @Test
  void acceptsLowercase() {
    assertThat(Signature.matches("secret", "1700000000", SIGN.toLowerCase(Locale.ROOT))).isTrue();
  }

  @Test
  void rejectsAnotherSecretAnotherTimestampAndAnotherSignature() {
    String changed = (SIGN.charAt(0) == '0' ? "1" : "0") + SIGN.substring(1);

    assertThat(Signature.matches("Secret", "1700000000", SIGN)).isFalse();
    assertThat(Signature.matches("secret", "1700000001", SIGN)).isFalse();
    assertThat(Signature.matches("secret", "1700000000", changed)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0123456789ABCDEF",
        "0123456789ABCDEF0123456789ABCDE",
        "0123456789ABCDEF0123456789ABCDEF0",
        "0123456789ABCDEF0123456789ABCDEG",
        "0123456789ABCDEF0123456789ABCDE１"
      })
  void acceptsOnly32Hexadecimals(String sign) {
    assertThat(Signature.isWellFormed(sign)).isFalse();
    assertThat(Signature.matches("secret", "1700000000", sign)).isFalse();
    assertThat(Signature.isWellFormed(SIGN)).isTrue();
  }
}
