package io.stockroom.console.people;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.bouncycastle.util.encoders.Base32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TotpTest {
  private static final String SECRET =
      Base32.toBase32String("12345678901234567890".getBytes(StandardCharsets.US_ASCII));
  private static final long NOW = 1_000_000;

  /** The last six digits of the test vectors of RFC 6238, appendix B. */
  @ParameterizedTest
  @CsvSource({
    "59, 287082",
    "1111111109, 081804",
    "1111111111, 050471",
    "1234567890, 005924",
    "2000000000, 279037",
    "20000000000, 353130"
  })
  void agreesWithTheStandard(long second, String code) {
    assertThat(Totp.code(SECRET, Totp.step(Instant.ofEpochSecond(second)))).isEqualTo(code);
  }

  @Test
  void acceptsOneStepEitherWayAndNoMore() {
    for (long step = NOW - 1; step <= NOW + 1; step++) {
      assertThat(Totp.match(SECRET, Totp.code(SECRET, step), NOW, 0)).isEqualTo(step);
    }
    assertThat(Totp.match(SECRET, Totp.code(SECRET, NOW - 2), NOW, 0)).isEqualTo(-1);
    assertThat(Totp.match(SECRET, Totp.code(SECRET, NOW + 2), NOW, 0)).isEqualTo(-1);
  }

  @Test
  void aUsedStepInvalidatesEarlierOnes() {
    assertThat(Totp.match(SECRET, Totp.code(SECRET, NOW), NOW, NOW - 1)).isEqualTo(NOW);
    assertThat(Totp.match(SECRET, Totp.code(SECRET, NOW), NOW, NOW)).isEqualTo(-1);
    assertThat(Totp.match(SECRET, Totp.code(SECRET, NOW - 1), NOW, NOW)).isEqualTo(-1);
  }

  @Test
  void secretsDifferAndTheUriNamesTheAccount() {
    String secret = Totp.newSecret();

    assertThat(secret).matches("[A-Z2-7]{32}").isNotEqualTo(Totp.newSecret());
    assertThat(Totp.uri(secret, "li+x@example.com"))
        .isEqualTo(
            "otpauth://totp/Stockroom:li%2Bx%40example.com?secret="
                + secret
                + "&issuer=Stockroom&algorithm=SHA1&digits=6&period=30");
  }
}
