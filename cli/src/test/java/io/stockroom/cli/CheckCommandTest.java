package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {
  private static final String TIME = "1700000000";
  private static final String TOKEN = "srt_" + "a".repeat(43);

  @TempDir Path folder;

  @Test
  void acceptsAValidRequest() {
    Program.Run run =
        Program.plain()
            .reading(curl(Signature.sign("s", TIME), TIME))
            .run("check", "--secret=s", "--token=" + TOKEN, "--appid=app_1", "--sent-at=" + TIME);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("Nothing wrong found.\n");
  }

  @Test
  void reportsAProblemWithLocationAndFix() throws IOException {
    Path file =
        Files.writeString(folder.resolve("request"), curl(Signature.sign("s", TIME), TIME + "123"));

    Program.Run run = Program.plain().with("STOCKROOM_SECRET", "s").run("check", file.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .startsWith("1 problem found.\n\n1. The timestamp is in milliseconds")
        .contains("   where     headers.timestamp\n   expected  1700000000\n")
        .contains("Divide by 1000");
  }

  @Test
  void printsChineseAndJson() {
    Program program = Program.plain().reading(curl("0".repeat(16), TIME));

    assertThat(program.run("check", "--language=zh").out())
        .startsWith("发现 1 处错误。\n")
        .contains("签名是 16 位的 MD5。");
    Program.Run run = program.run("check", "--json");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.json().path("problemCount").asInt()).isEqualTo(1);
    assertThat(run.json().at("/problems/0/code").asString()).isEqualTo("SIGN_SHORT");
    assertThat(run.json().path("unchecked").toString()).isEqualTo("[\"SIGNATURE\",\"TOKEN\"]");
  }

  @Test
  void reportsWhatItCouldNotCheck() {
    Program.Run run = Program.plain().reading(curl("0".repeat(32), TIME)).run("check");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains(
            "Nothing wrong found.",
            "Remark: A server would now reject the request as too old.",
            "Not checked:")
        .contains("- The signature was not recomputed: no secret was given.");
  }

  @ParameterizedTest
  @CsvSource({"1700000300, 0", "1700000301, 1", "2023-11-14T22:13:20Z, 0"})
  void comparesTheTimestampWithTheTimeOfTheRequest(String sentAt, int exitCode) {
    Program program = Program.plain().reading(curl("0".repeat(32), TIME));

    assertThat(program.run("check", "--sent-at=" + sentAt).exitCode()).isEqualTo(exitCode);
  }

  @ParameterizedTest
  @CsvSource({
    "--language=fr, write en or zh",
    "--sent-at=yesterday, write Unix seconds",
    "--secret-env=NOT_SET, which is not set",
    "--profile=none, There is no folder for profiles",
  })
  void rejectsUnknownInput(String option, String sentence) {
    Program.Run run = Program.plain().reading(curl("0".repeat(32), TIME)).run("check", option);

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err()).contains(sentence).hasLineCount(1);
  }

  @Test
  void listsTheSupportedRequestFormats() {
    Program.Run run = Program.plain().reading("hello").run("check");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Paste a curl command");
  }

  private static String curl(String sign, String timestamp) {
    return """
    curl http://localhost:8080/Stock/List -H 'appid: app_1' -H 'sign: %s' \\
      -H 'timestamp: %s' -H 'accesstoken: %s' -d productid=1
    """
        .formatted(sign, timestamp, TOKEN);
  }
}
