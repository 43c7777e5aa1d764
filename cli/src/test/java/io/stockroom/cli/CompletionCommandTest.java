package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionCommandTest {
  private static final Program.Run BASH = Program.plain().run("completion", "bash");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"che, check", "prof, profile", "'profile ', add", "'profile re', remove"})
  void completesCommandsInBash(String typed, String expected) throws Exception {
    Path script = Files.writeString(folder.resolve("script"), BASH.out());
    String words = "stockroom " + typed;
    int last = words.split(" ", -1).length - 1;
    String asked =
        """
        source %s
        COMP_WORDS=(%s)
        COMP_CWORD=%d
        COMP_LINE='%s'
        COMP_POINT=${#COMP_LINE}
        _complete_stockroom
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(script, words + (words.endsWith(" ") ? "''" : ""), last, words);

    assertThat(bash(asked).lines().map(String::strip)).contains(expected);
  }

  @Test
  void initializesZshCompletion() {
    Program.Run run = Program.plain().run("completion", "zsh");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("autoload")
        .contains("bashcompinit", "complete ", "--skip-bad");
  }

  @Test
  void defaultsToBash() {
    assertThat(Program.plain().run("completion")).isEqualTo(BASH);
    Program.Run run = Program.plain().run("completion", "fish");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("use bash or zsh");
  }

  private static String bash(String script) throws IOException, InterruptedException {
    Process bash =
        new ProcessBuilder("bash", "--norc", "-c", script).redirectErrorStream(true).start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return out;
  }
}
