package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs programs of the machine. */
final class Commands {
  private static final int PATIENCE_MINUTES = 5;

  private Commands() {}

  /** Runs a program that must succeed, and returns its standard output. */
  static String run(Path folder, List<String> command) throws IOException, InterruptedException {
    return run(folder, command, Map.of());
  }

  /** Like {@link #run(Path, List)}, with environment variables. */
  static String run(Path folder, List<String> command, Map<String, String> variables)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("stockroom-command-", ".out");
    Path errors = Files.createTempFile("stockroom-command-", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toAbsolutePath().toFile())
              .redirectOutput(out.toFile())
              .redirectError(errors.toFile());
      builder.environment().putAll(variables);
      Process process = builder.start();
      boolean ended = process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      String said = Files.readString(out);
      assertThat(ended && process.exitValue() == 0)
          .as("%s%n%s%n%s", String.join(" ", command), said, Files.readString(errors))
          .isTrue();
      return said;
    } finally {
      Files.delete(out);
      Files.delete(errors);
    }
  }

  /** Deletes a folder and its content if it exists. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
