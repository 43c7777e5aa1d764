package io.stockroom.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database a command works on, found as {@code serve} finds it. */
final class DatabaseOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder of the server, which may be running or stopped.")
  @Nullable Path data;

  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description = "The external PostgreSQL, if the server uses one.")
  @Nullable String databaseUrl;

  @Option(names = "--json", description = "Print the result as one JSON object.")
  boolean json;

  /** The same choices, as {@code serve} would have been given them. */
  ServeOptions asServed() {
    ServeOptions options = new ServeOptions();
    options.data = data;
    options.databaseUrl = databaseUrl;
    return options;
  }

  Path folder(Shell shell) {
    return asServed().folder(shell, "data").toAbsolutePath().normalize();
  }
}
