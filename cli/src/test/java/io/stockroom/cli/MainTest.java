package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  private static final String[] COMMANDS = {
    "merchant create",
    "merchant list",
    "merchant show",
    "merchant limits",
    "merchant usage",
    "merchant move",
    "product import",
    "product export",
    "product archive",
    "product restore",
    "import list",
    "import show",
    "import watch",
    "import apply",
    "import cancel",
    "app create",
    "app list",
    "app show",
    "app rotate",
    "app set",
    "token issue",
    "token list",
    "token revoke",
    "person add",
    "person list",
    "person reset",
    "person remove",
    "backup",
    "restore",
    "cell add",
    "cell update",
    "cell list",
    "cell drain",
    "cell moves",
    "key rotate",
    "audit list",
    "audit verify",
    "logs tail",
    "sign",
    "call",
    "check",
    "changes",
    "webhook create",
    "webhook list",
    "webhook deliveries",
    "webhook test",
    "webhook replay",
    "webhook rotate",
    "webhook enable",
    "webhook disable",
    "webhook delete",
    "profile add",
    "profile list",
    "profile use",
    "profile remove",
    "conform",
    "generate",
    "docs",
    "completion"
  };

  @Test
  void firstHelpPageNamesEveryCommandInAGroupWithOneLineEach() {
    Program.Run run = Program.plain().run("--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith("Usage: stockroom COMMAND [OPTIONS]")
        .contains("Manage merchants:", "Maintain the server:", "Try the interface:", "Examples:")
        .containsPattern("(?m)^  merchant +Create, import and list")
        .containsPattern("(?m)^  call +Sign a request");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void everyCommandHasADescriptionOptionsAndAnExample() {
    for (String command : COMMANDS) {
      Program.Run run = Program.plain().run((command + " --help").split(" "));

      assertThat(run.exitCode()).as(command).isZero();
      assertThat(run.out())
          .as(command)
          .startsWith("Usage: stockroom " + command)
          .contains("Options:", "--help", "Examples:\n  ", "stockroom " + command);
      assertThat(run.out().lines()).as(command).allMatch(line -> line.length() <= 80);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "merchant usage, ID",
    "app set, APPID",
    "token revoke, TOKEN",
    "person reset, ADDRESS",
    "product import, FILE",
    "product export, FILE",
    "product archive, ITEM",
    "import show, ID",
    "backup, FILE",
    "restore, FILE",
    "call, PATH",
    "webhook create, URL",
    "webhook test, ID",
    "profile use, NAME"
  })
  void explainsTheArgumentsOfACommand(String command, String argument) {
    Program.Run run = Program.plain().run((command + " --help").split(" "));

    assertThat(run.out()).containsPattern("Arguments:\n +" + argument + " +[A-Z]");
  }

  @Test
  void printsAHeadingForEachGroup() {
    assertThat(Program.plain().run("merchant", "--help").out()).contains("Commands:\n  create ");
  }

  @Test
  void showsTheFirstHelpPageWithoutArguments() {
    Program.Run run = Program.plain().run();

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo(Program.plain().run("--help").out());
  }

  @Test
  void acceptsHelpAsACommand() {
    assertThat(Program.plain().run("help", "merchant", "create"))
        .isEqualTo(Program.plain().run("merchant", "create", "--help"));
    assertThat(Program.plain().run("help")).isEqualTo(Program.plain().run("--help"));
  }

  @Test
  void printsItsVersion() {
    assertThat(Program.plain().run("--version").out()).startsWith("stockroom ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          merchnat list            | 'stockroom' has no command 'merchnat'; did you mean 'merchant'?
          applications             | 'stockroom' has no command 'applications'; did you mean 'app'?
          frobnicate               | 'stockroom' has no command 'frobnicate'.
          merchant lits            | 'stockroom merchant' has no command 'lits'; did you mean 'list'?
          merchant                 | 'stockroom merchant' needs a command: create, import, list, show, limits, usage, rename, suspend, resume, close, remove or move.
          merchant list --jsn      | 'stockroom merchant list' has no option '--jsn'; did you mean '--json'?
          merchant create --nmae=x | 'stockroom merchant create' has no option '--nmae'; did you mean '--name'?
          merchant list more       | 'more' is an unexpected argument for 'stockroom merchant list'.
          app create               | Missing required option: '--name=NAME'.
          app create --name        | Missing required parameter for option '--name' (NAME).
          token list --merchant 0  | '0' is not a merchant number
          merchant usage           | Missing required parameter: 'ID'.
          merchant show x          | 'x' is not a merchant number
          merchant usage 1 --page 0 | '0' is not a page; pages start at 1
          app rotate a --grace 7d  | '7d' is not a duration; write P7D for 7 days
          app set a --require-hmac --no-require-hmac | should be specified only once
          key rotat                | 'stockroom key' has no command 'rotat'; did you mean 'rotate'?
          audit verify 1           | '1' is an unexpected argument for 'stockroom audit verify'.
          sign --method sha1       | 'sha1' is not a signature method; use md5 or hmac-sha256
          call / --sign-method hmac | 'hmac' is not a signature method; use md5 or hmac-sha256
          import show x            | 'x' is not an import number
          token list --merchant a  | 'a' is not a merchant number
          """)
  void rejectsWrongUsageWithOneSentence(String arguments, String sentence) {
    Program.Run run = Program.plain().run(arguments.split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(sentence).contains("Help: stockroom").hasLineCount(1);
  }

  @Test
  void jsonReportsWrongUsage() {
    Program.Run run = Program.plain().run("app", "create", "--json");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.json().path("success").asBoolean()).isFalse();
    assertThat(run.json().path("msg").asString()).contains("'--name=NAME'");
    assertThat(run.json().path("errors").isArray()).isTrue();
    assertThat(run.err()).contains("'--name=NAME'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1"})
  void showsAStackTraceOnlyWhenDebugging(String debug) {
    Program.Run run =
        Program.plain()
            .with("STOCKROOM_DEBUG", debug)
            .with("STOCKROOM_OPERATOR_KEY", "k")
            .run("app", "list", "--server", "http://localhost:1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().contains("\tat ")).isEqualTo(debug.equals("1"));
  }

  @Test
  void rejectsArgumentsDamagedByTheLocale() {
    Program.Run run = Program.plain().run("app", "create", "--name", "\uFFFD\uFFFD");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("LC_ALL=C.UTF-8");
  }

  @Test
  void failsWhenItsResultCannotBeWritten() {
    PrintStream full =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("disk full");
              }
            },
            true,
            StandardCharsets.UTF_8);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Shell shell =
        new Shell(
            new ByteArrayInputStream(new byte[0]),
            full,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            Path.of("."),
            false,
            false);

    assertThat(Main.run(shell, "sign", "--secret", "s")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("could not be written");
  }

  @Test
  void usesTheStreamsAndEnvironmentOfItsCaller() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);

    int exitCode =
        Main.run(
            new String[] {"sign", "--timestamp", "1700000000"},
            new ByteArrayInputStream(new byte[0]),
            stream,
            stream,
            Map.of("STOCKROOM_SECRET", "s"));

    assertThat(exitCode).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("timestamp: 1700000000\nsign: ");
  }
}
