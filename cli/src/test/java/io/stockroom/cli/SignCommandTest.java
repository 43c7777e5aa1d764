package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignCommandTest {
  @Test
  void printsTheTwoHeaders() {
    Program.Run run = Program.plain().run("sign", "--secret", "s", "--timestamp", "1700000000");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo("timestamp: 1700000000\nsign: D086352857256F1AFD9052099A8B4BA1\n");
  }

  @Test
  void signsTheTimeThatItIs() {
    long before = Instant.now().getEpochSecond();

    Program.Run run = Program.plain().with("STOCKROOM_SECRET", "秘密").run("sign", "--json");

    String timestamp = run.json().path("timestamp").asString();
    assertThat(Long.parseLong(timestamp)).isBetween(before, Instant.now().getEpochSecond());
    assertThat(Signature.matches("秘密", timestamp, run.json().path("sign").asString())).isTrue();
  }

  @Test
  void prefersTheSecretOfTheCommandLine() {
    Program.Run run =
        Program.plain()
            .with("STOCKROOM_SECRET", "other")
            .run("sign", "--secret=s", "--timestamp=1700000000");

    assertThat(run.out()).contains("D086352857256F1AFD9052099A8B4BA1");
  }

  @Test
  void asksForASecret() {
    Program.Run run = Program.plain().run("sign");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--secret SECRET", "STOCKROOM_SECRET");
  }

  @Test
  void namesMilliseconds() {
    Program.Run run = Program.plain().run("sign", "--secret=s", "--timestamp=1700000000123");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("milliseconds", "give seconds: 1700000000\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"170000000", "17000000000", "170000000x", "-170000000", "１７００００００００"})
  void refusesTimesThatAreNotTenDigits(String timestamp) {
    Program.Run run = Program.plain().run("sign", "--secret=s", "--timestamp=" + timestamp);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'" + timestamp + "' is not Unix time in seconds");
  }
}
