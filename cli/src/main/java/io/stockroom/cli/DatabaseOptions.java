package io.stockroom.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The database of a command, found in the same way as by {@code serve}. */
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

  /** The same options as for {@code serve}. */
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
