package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorKeyTest {
  @TempDir Path home;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on("GET", "/admin/applications", 200, "{\"applications\":[]}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void readsTheDefaultDataFolder() throws IOException {
    key("data", "from-installation\n");

    assertThat(keySent(program())).isEqualTo("Bearer from-installation");
  }

  @Test
  void environmentDataFolderWinsOverTheDefault() throws IOException {
    key("data", "from-installation");
    key("other", "from-other");

    assertThat(keySent(program().with("STOCKROOM_DATA", home.resolve("other").toString())))
        .isEqualTo("Bearer from-other");
  }

  @Test
  void environmentKeyWinsOverTheFile() throws IOException {
    key("data", "from-installation");

    assertThat(keySent(program().with("STOCKROOM_OPERATOR_KEY", "from-environment")))
        .isEqualTo("Bearer from-environment");
  }

  @Test
  void commandLineDataFolderWinsOverTheEnvironment() throws IOException {
    key("named", "from-named");

    Program program = program().with("STOCKROOM_OPERATOR_KEY", "from-environment");
    assertThat(keySent(program, "--data", home.resolve("named").toString()))
        .isEqualTo("Bearer from-named");
  }

  @Test
  void environmentKeyServesADataFolderWithoutAKey() {
    Program program = program().with("STOCKROOM_OPERATOR_KEY", "from-environment");

    assertThat(keySent(program, "--data", home.resolve("without-key").toString()))
        .isEqualTo("Bearer from-environment");
    assertThat(program().run("app", "list", "--data", "nowhere").err())
        .contains("No operator key found in STOCKROOM_OPERATOR_KEY and ");
  }

  @Test
  void reportsAMissingKeyWithTheSearchedPlaces() {
    Program.Run run = program().run("app", "list");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("STOCKROOM_OPERATOR_KEY and " + home.resolve("data/operator.key"))
        .contains("--data DIR")
        .doesNotContain("data-demo")
        .hasLineCount(1);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void suggestsTheDemoFolderIfItHasTheOnlyKey() throws IOException {
    key("data-demo", "demo");

    assertThat(program().run("app", "list").err())
        .contains("For the demo: --data " + home.resolve("data-demo"));
  }

  @Test
  void reportsAnUnreadableKey() throws IOException {
    Files.createDirectories(home.resolve("data/operator.key"));

    Program.Run run = program().run("app", "list");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(home.resolve("data/operator.key") + " cannot be read");
  }

  @Test
  void reportsAnInvalidKey() throws IOException {
    key("data", "two words\n");
    assertThat(program().run("app", "list").err()).contains("does not contain an operator key");

    key("data", "\n");
    assertThat(program().run("app", "list").err()).contains("does not contain an operator key");
  }

  private Program program() {
    return Program.plain().with("STOCKROOM_ADMIN_SERVER", server.url()).installedIn(home);
  }

  private String keySent(Program program, String... more) {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "app";
    arguments[1] = "list";
    System.arraycopy(more, 0, arguments, 2, more.length);
    assertThat(program.run(arguments).exitCode()).isZero();
    return server.last().header("Authorization");
  }

  private void key(String folder, String text) throws IOException {
    Files.createDirectories(home.resolve(folder));
    Files.writeString(home.resolve(folder).resolve("operator.key"), text);
  }
}
