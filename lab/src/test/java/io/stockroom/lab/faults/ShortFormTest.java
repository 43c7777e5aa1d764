package io.stockroom.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Runs the experiments of {@code lab/faults --short} with the classes of this build. */
class ShortFormTest {
  /**
   * Started like the launcher does, but without the C2 compiler, which does not pay off in a short
   * run.
   */
  private static final List<String> PROGRAM =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "@" + Path.of("..", "packaging", "server.options"),
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED",
          "-cp",
          System.getProperty("java.class.path"),
          ServeMain.class.getName());

  @Test
  void losesNothing() {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(result, true, StandardCharsets.UTF_8);

    int code = new CommandLine(new FaultsMain(PROGRAM, out, System.err)).execute("--short");

    String table = result.toString(StandardCharsets.UTF_8);
    System.out.println(table);
    assertThat(code).as(table).isZero();
  }
}
