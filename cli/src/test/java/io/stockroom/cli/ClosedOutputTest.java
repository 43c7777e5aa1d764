package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Output errors of the program in a separate process. */
class ClosedOutputTest {
  @Test
  void endsSilentlyWhenTheReaderIsGone() throws Exception {
    Process program = program().start();
    // before the program has written anything: it is still starting
    program.getInputStream().close();

    assertThat(messages(program)).isEmpty();
    assertThat(program.exitValue()).isEqualTo(141);
  }

  @Test
  void reportsAFullDisk() throws Exception {
    Process program = program().redirectOutput(new File("/dev/full")).start();

    assertThat(messages(program)).contains("could not be written to standard output");
    assertThat(program.exitValue()).isEqualTo(1);
  }

  private static ProcessBuilder program() {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName(),
        "conform",
        "--list");
  }

  private static String messages(Process program) throws IOException, InterruptedException {
    try {
      String messages = new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return messages;
    } finally {
      program.destroyForcibly();
    }
  }
}
