package io.stockroom.cli;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "serve",
    description = {
      "Run the server until it is stopped (Ctrl-C).",
      "Without --database-url it starts an embedded PostgreSQL in the data folder."
    },
    footer = {
      "  stockroom serve",
      "  stockroom serve --port 9000 --data /var/lib/stockroom",
      "  stockroom serve --sandbox --data data-sandbox",
      "  STOCKROOM_DATABASE_PASSWORD=… stockroom serve \\",
      "      --database-url postgresql://stockroom@db/stockroom --set limits.detail-per-day=500"
    })
final class ServeCommand implements Runnable {
  private final Shell shell;

  @Mixin private ServeOptions options = new ServeOptions();

  @Option(
      names = "--sandbox",
      description =
          "Serve a sandbox for integrators: test products, a clock that can be moved, limits that can"
              + " be reset. Never for real stock.")
  private boolean sandbox;

  @Option(names = "--json", description = "Print one JSON object when the server is ready.")
  private boolean json;

  ServeCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    Path folder = options.folder(shell, "data");
    Map<String, String> set = options.all();
    if (sandbox) {
      set.put("sandbox", "true");
    }
    var settings = ServerProcess.settings(folder, set, shell);
    var server = ServerProcess.start(folder, settings);
    String health = server.adminUrl() + "/health/ready";
    var postgres = server.postgres();
    String database =
        postgres == null ? "external PostgreSQL" : "PostgreSQL on port " + postgres.port();
    boolean isShown = shell.outIsTerminal() && !json;
    String first = ServerProcess.firstOperator(server, isShown);
    // before announcing the server, because the reader may stop it immediately
    ServerProcess.closeAtEnd(server);
    Output output = new Output(shell, json);
    output.show(
        () ->
            Json.object()
                .put("url", server.baseUrl())
                .put("console", server.consoleUrl())
                .put("firstOperatorFile", first)
                .put("admin", server.adminUrl())
                .put("health", health)
                .put("data", folder.toAbsolutePath().normalize().toString()),
        () -> {
          output.line("Stockroom is ready.");
          output.line("  interface     " + server.baseUrl());
          output.line("  console       " + server.consoleUrl());
          output.line("  admin API     " + server.adminUrl());
          output.line("  health        " + health);
          output.line("  data folder   " + folder.toAbsolutePath().normalize());
          output.line("  database      " + database);
          if (sandbox) {
            output.line("  sandbox       on, see %s/docs/sandbox.html".formatted(server.baseUrl()));
          }
          if (first != null) {
            output.line("");
            output.line(
                isShown
                    ? "There is no operator yet. Open this link to become the first one:"
                    : "There is no operator yet. Open the link in this file to become the first one:");
            output.line("  " + first);
            output.line("");
          }
          output.line("Stop with Ctrl-C. First steps: stockroom merchant create --help");
        });
    ServerProcess.untilStopped();
  }
}
