package io.stockroom.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Common options of the operator commands: server, key and output format. */
final class OperatorOptions {
  @Mixin private final ServerOption server = new ServerOption();

  @Option(
      names = AdminAddress.OPTION,
      paramLabel = "URL",
      description =
          "The address of the server's admin port (default: STOCKROOM_ADMIN_SERVER, else the port"
              + " after that of --server).")
  private @Nullable String adminServer;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "The server's data folder, which contains operator.key (default:"
            + " STOCKROOM_DATA, else the folder data of this installation).",
        "For a server on another machine, set STOCKROOM_OPERATOR_KEY."
      })
  private @Nullable Path data;

  @Option(names = "--json", description = "Print the result as one JSON object.")
  private boolean json;

  AdminApi connect(Shell shell) {
    return new AdminApi(
        AdminAddress.find(adminServer, server, shell),
        OperatorKey.find(data, shell),
        shell.language());
  }

  boolean wantsJson() {
    return json;
  }
}
