package io.stockroom.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Common options of {@code serve}, {@code demo} and {@code settings}. */
final class ServeOptions {
  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port of the interface (default: 8080); admin API, health and metrics use the next port.")
  @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder: keys, settings and the embedded PostgreSQL.")
  @Nullable Path data;

  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description =
          "An external PostgreSQL instead of the embedded one, such as postgresql://user@host/name."
              + " Put its password in STOCKROOM_DATABASE_PASSWORD or stockroom.yaml:"
              + " everyone on the machine can read arguments.")
  @Nullable String databaseUrl;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Set a setting; may be given several times. See: stockroom settings")
  Map<String, String> set = new LinkedHashMap<>();

  /**
   * The folder from the command line, else from the environment, else {@code usual} in the
   * installation.
   */
  Path folder(Shell shell, String usual) {
    if (data != null) {
      return data;
    }
    String variable = shell.variable("STOCKROOM_DATA");
    return variable == null ? shell.home().resolve(usual) : Path.of(variable);
  }

  /** All settings from this command line. */
  Map<String, String> all() {
    Map<String, String> all = new LinkedHashMap<>(set);
    if (port != null) {
      all.put("port", port.toString());
    }
    if (databaseUrl != null) {
      all.put("database.url", databaseUrl);
    }
    return all;
  }
}
