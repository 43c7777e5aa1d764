package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignCommandTest {
  @TempDir Path folder;

  @Test
  void printsTheTwoHeaders() {
    Program.Run run = Program.plain().run("sign", "--secret", "s", "--timestamp", "1700000000");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo("timestamp: 1700000000\nsign: D086352857256F1AFD9052099A8B4BA1\n");
  }

  @Test
  void signsTheCurrentTime() {
    long before = Instant.now().getEpochSecond();

    Program.Run run = Program.plain().with("STOCKROOM_SECRET", "秘密").run("sign", "--json");

    String timestamp = run.json().path("timestamp").asString();
    assertThat(Long.parseLong(timestamp)).isBetween(before, Instant.now().getEpochSecond());
    assertThat(Signature.matches("秘密", timestamp, run.json().path("sign").asString())).isTrue();
  }

  @Test
  void commandLineSecretWins() {
    Program.Run run =
        Program.plain()
            .with("STOCKROOM_SECRET", "other")
            .run("sign", "--secret=s", "--timestamp=1700000000");

    assertThat(run.out()).contains("D086352857256F1AFD9052099A8B4BA1");
  }

  /** The signature comes from openssl. */
  @Test
  void signsAWholeRequest() throws IOException {
    Path file = Files.writeString(folder.resolve("stock.json"), "[{\"color\":\"红\"}]");

    Program.Run run =
        Program.plain()
            .run(
                "sign",
                "--method=hmac-sha256",
                "--path=/Stock/Creat",
                "--token=srt_token",
                "--body=" + file,
                "--secret=secret",
                "--timestamp=1700000000");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            timestamp: 1700000000
            sign-method: hmac-sha256
            sign: 7BACA8746041D6FE00618A5425B10360E9EAF0BD833F712E1257FFFF79E4DD49
            """);
  }

  @Test
  void signsARequestWithoutABodyAndWithTheTokenOfTheEnvironment() {
    Program.Run run =
        Program.plain()
            .with("STOCKROOM_SECRET", "secret")
            .with("STOCKROOM_TOKEN", "srt_token")
            .run(
                "sign",
                "--method=HMAC-SHA256",
                "--path=/Stock/Product?page=2",
                "--timestamp=1700000000",
                "--json");

    assertThat(run.json().path("sign-method").asString()).isEqualTo("hmac-sha256");
    assertThat(run.json().path("timestamp").asString()).isEqualTo("1700000000");
    assertThat(run.json().path("sign").asString())
        .isEqualTo("AD59EDC9905BBD62E0761784E933EBD37541833E0F4D51898276504602759961");
  }

  @Test
  void signsANonceAndAnIdempotencyKey() {
    Program.Run run =
        Program.plain()
            .reading("productid=1")
            .run(
                "sign",
                "--method=hmac-sha256",
                "--secret=SECRET",
                "--token=TOKEN",
                "--path=/Stock/List",
                "--timestamp=1700000000",
                "--body=-",
                "--nonce=0123456789abcdef",
                "--idempotency-key=order-1");

    assertThat(run.out())
        .isEqualTo(
            """
            timestamp: 1700000000
            sign-method: hmac-sha256
            sign: C54769AAEB340FE733E5772D645D8F928D68A521536E1C3235B7294F33C3FB98
            sign-nonce: 0123456789abcdef
            Idempotency-Key: order-1
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --method=hmac-sha256                          | needs --path and --token (or STOCKROOM_TOKEN).
          --method=hmac-sha256 --path=/Stock/Creat      | needs --token (or STOCKROOM_TOKEN).
          --method=hmac-sha256 --token=t                | needs --path.
          --method=hmac-sha256 --token=t --path=Stock/A | --path is 'Stock/A'; pass it as sent
          --path=/Stock/Creat                           | --path is not part of an md5 signature
          --token=t                                     | --token is not part of an md5 signature
          --body=a.json                                 | --body is not part of an md5 signature
          --nonce=0123456789abcdef                      | --nonce is not part of an md5 signature
          --idempotency-key=k                           | --idempotency-key is not part of an md5
          --method=hmac-sha256 --token=t --path=/ --nonce=short | --nonce is 'short'; pass 16 to 64
          """)
  void rejectsOptionsThatMd5DoesNotSign(String arguments, String sentence) {
    Program.Run run =
        Program.plain().with("STOCKROOM_SECRET", "s").run(("sign " + arguments).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(sentence);
  }

  @Test
  void requiresASecret() {
    Program.Run run = Program.plain().run("sign");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--secret SECRET", "STOCKROOM_SECRET");
  }

  @Test
  void recognizesMilliseconds() {
    Program.Run run = Program.plain().run("sign", "--secret=s", "--timestamp=1700000000123");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("milliseconds", "pass seconds: 1700000000\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"170000000", "17000000000", "170000000x", "-170000000", "１７００００００００"})
  void rejectsTimestampsWithoutTenDigits(String timestamp) {
    Program.Run run = Program.plain().run("sign", "--secret=s", "--timestamp=" + timestamp);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'" + timestamp + "' is not Unix time in seconds");
  }
}
