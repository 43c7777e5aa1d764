package io.stockroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The operator key and its source, which a person needs to know if the server rejects the key. */
record OperatorKey(String value, String source) {
  static final String VARIABLE = "STOCKROOM_OPERATOR_KEY";

  private static final String FILE = "operator.key";
  private static final int LONGEST = 4096;

  /**
   * Finds the key: in the data folder of the command line if it contains one, then the environment,
   * then the default data folder.
   */
  static OperatorKey find(@Nullable Path namedData, Shell shell) {
    Path file = dataFolder(namedData, shell).resolve(FILE);
    String variable = shell.variable(VARIABLE);
    if (variable != null && (namedData == null || !Files.exists(file))) {
      return checked(variable, VARIABLE);
    }
    if (!Files.exists(file)) {
      throw CommandException.failed(notFound(file, shell));
    }
    try (InputStream stream = Files.newInputStream(file)) {
      byte[] bytes = stream.readNBytes(LONGEST);
      return checked(new String(bytes, StandardCharsets.UTF_8).strip(), shown(file));
    } catch (IOException e) {
      throw CommandException.failed(
          "The operator key in %s cannot be read. Run as the user who runs the server, or set %s."
              .formatted(shown(file), VARIABLE),
          e);
    }
  }

  /** Shows only the source, to keep the key out of logs. */
  @Override
  public String toString() {
    return "OperatorKey[" + source + "]";
  }

  private static Path dataFolder(@Nullable Path namedData, Shell shell) {
    if (namedData != null) {
      return namedData;
    }
    String variable = shell.variable("STOCKROOM_DATA");
    return variable == null ? shell.home().resolve("data") : Path.of(variable);
  }

  private static OperatorKey checked(String value, String source) {
    if (value.isEmpty() || !value.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw CommandException.failed(
          "%s does not contain an operator key, which is one line without spaces."
              .formatted(source));
    }
    return new OperatorKey(value, source);
  }

  private static String notFound(Path file, Shell shell) {
    String sentence =
        "No operator key found in %1$s and %2$s. Pass the server's data folder with --data DIR, or the key itself in %1$s."
            .formatted(VARIABLE, shown(file));
    Path demo = shell.home().resolve("data-demo");
    return Files.exists(demo.resolve(FILE))
        ? sentence + " For the demo: --data " + shown(demo)
        : sentence;
  }

  private static String shown(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }
}
