package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class CredentialsTest {
  private final Credentials credentials = new Credentials("app_1", "secret", "srt_token");

  @Test
  void returnTheFourHeaders() {
    assertThat(credentials.headers(Instant.ofEpochSecond(1_700_000_000, 999_999_999)))
        .containsExactly(
            entry("appid", "app_1"),
            entry("sign", "E37729AF62F40F134311CFFBC230178E"),
            entry("timestamp", "1700000000"),
            entry("accesstoken", "srt_token"));
  }

  @Test
  void neverSendTheSecret() {
    assertThat(credentials.headers(Instant.now()).values()).noneMatch(v -> v.contains("secret"));
  }

  @Test
  void showNeitherSecretNorTokenAsText() {
    assertThat(credentials.toString())
        .contains("app_1")
        .doesNotContain("secret")
        .doesNotContain("srt_token");
  }
}
