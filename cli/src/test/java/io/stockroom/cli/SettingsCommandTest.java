package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SettingsCommandTest {
  @TempDir Path data;

  @Test
  void showsEverySettingWithItsMeaning() {
    Program.Run run = Program.plain().run("settings", "--data", data.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("page-size = 50\n    Products per page");
    for (var setting : Settings.ALL) {
      assertThat(run.out()).contains(setting.name() + " = ", setting.meaning());
    }
  }

  @Test
  void showsTheSourceOfEachValue() throws IOException {
    Files.writeString(data.resolve("stockroom.yaml"), "language: zh\n");

    JsonNode json =
        Program.plain()
            .with("STOCKROOM_DATA", data.toString())
            .with("STOCKROOM_BARCODEUNIQUE", "false")
            .run("settings", "--set", "page-size=7", "--port", "9000", "--json")
            .json();

    assertThat(shown(json, "language")).isEqualTo("zh stockroom.yaml");
    assertThat(shown(json, "barcode-unique")).isEqualTo("false STOCKROOM_BARCODEUNIQUE");
    assertThat(shown(json, "page-size")).isEqualTo("7 --set");
    assertThat(shown(json, "port")).isEqualTo("9000 --set");
    assertThat(shown(json, "limits.create-interval")).isEqualTo("PT2S default");
  }

  @Test
  void neverShowsASecret() {
    Program program =
        Program.plain()
            .with("STOCKROOM_DATA", data.toString())
            .with("STOCKROOM_OPERATORKEY", "hush-0123456789-abcdef-0123456789");

    assertThat(program.run("settings").out()).doesNotContain("hush").contains("(not shown)");
    assertThat(program.run("settings", "--json").out()).doesNotContain("hush");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--database-url=postgresql://me:hush@db/name",
        "--set=database.url=jdbc:postgresql://a,b/name?user=me&password=hush",
        "--set=database.password=hush",
        "--set=operator-key=hush-0123456789-abcdefghijklmnopq"
      })
  void warnsAboutASecretInTheProcessList(String argument) {
    Program.Run run = Program.plain().run("settings", "--data", data.toString(), argument);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .startsWith("Warning: ")
        .contains(
            argument.contains("operator") ? "STOCKROOM_OPERATORKEY" : "STOCKROOM_DATABASE_PASSWORD")
        .hasLineCount(1);
    assertThat(run.out() + run.err()).doesNotContain("hush");
  }

  @Test
  void warnsAboutNothingElse() {
    Program program =
        Program.plain()
            .with("STOCKROOM_ADMIN_SERVER", "http://localhost:8081")
            .with("STOCKROOM_DATABASE_PASSWORD", "hush")
            .with("STOCKROOM_DATABASE_URL", "postgresql://me:hush@db/name");

    assertThat(program.run("settings", "--data", data.toString()).err()).isEmpty();
    assertThat(program.run("settings", "--data", data.toString()).out()).doesNotContain("hush");
    Program.Run run =
        program.run("settings", "--data=" + data, "--database-url=postgresql://me@db:5432/name");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("database.url = postgresql://me@db:5432/name");
  }

  @Test
  void reportsEveryProblemBeforeAServerStarts() {
    for (String command : new String[] {"settings", "serve"}) {
      Program.Run run =
          Program.plain()
              .run(
                  command,
                  "--data",
                  data.toString(),
                  "--set",
                  "pagesize=7",
                  "--set",
                  "language=fr");

      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).contains("2 problems", "nearest is page-size", "must be en or zh");
    }
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void warnsAboutAnUnknownVariableOnStandardError() {
    Program.Run run =
        Program.plain()
            .with("STOCKROOM_DATA", data.toString())
            .with("STOCKROOM_PAGESIZES", "7")
            .with("STOCKROOM_PORT", "tcp://10.0.0.1:8080")
            .run("settings", "--json");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "Warning: STOCKROOM_PAGESIZES (environment) is not a setting and is ignored; the"
                + " nearest is STOCKROOM_PAGESIZE.\n");
    assertThat(shown(run.json(), "port")).isEqualTo("8080 default");
  }

  private static String shown(JsonNode json, String name) {
    return json.get("settings")
        .valueStream()
        .filter(setting -> setting.get("name").asString().equals(name))
        .map(s -> s.get("value").asString() + " " + s.get("source").asString())
        .findFirst()
        .orElseThrow();
  }
}
