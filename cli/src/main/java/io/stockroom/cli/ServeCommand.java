package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.flag;

import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom serve}. */
final class ServeCommand {
  private ServeCommand() {}

  static CommandSpec make(Shell shell) {
    ServeOptions options = new ServeOptions();
    return CommandDefinition.local("serve", given -> run(options, given))
        .does(
            "Run the server until it is stopped (Ctrl-C).",
            "Without --database-url it starts an embedded PostgreSQL in the data folder.")
        .examples(
            "stockroom serve",
            "stockroom serve --port 9000 --data /var/lib/stockroom",
            "stockroom serve --sandbox --data data-sandbox",
            "STOCKROOM_DATABASE_PASSWORD=… stockroom serve \\",
            "    --database-url postgresql://stockroom@db/stockroom --set"
                + " limits.detail-per-day=500")
        .with(
            flag(
                "--sandbox",
                "Serve a sandbox for integrators: test products, a clock that can be moved, limits"
                    + " that can be reset. Never for real stock."))
        .mixin(options)
        .json("Print one JSON object when the server is ready.")
        .spec(shell);
  }

  private static int run(ServeOptions options, Given given) {
    Shell shell = given.shell();
    Path folder = options.folder(shell, "data");
    Map<String, String> set = options.all();
    boolean sandbox = given.has("--sandbox");
    if (sandbox) {
      set.put("sandbox", "true");
    }
    Settings settings = ServerProcess.settings(folder, set, shell);
    Stockroom server = ServerProcess.start(folder, settings);
    boolean isShown = shell.outIsTerminal() && !given.has("--json");
    String first = ServerProcess.firstOperator(server, isShown);
    // before announcing the server, because the reader may stop it immediately
    ServerProcess.closeAtEnd(server);
    ObjectNode ready =
        Json.object()
            .put("url", server.baseUrl())
            .put("console", server.consoleUrl())
            .put("firstOperatorFile", first)
            .put("admin", server.adminUrl())
            .put("health", server.adminUrl() + "/health/ready")
            .put("data", folder.toAbsolutePath().normalize().toString());
    var postgres = server.postgres();
    String database =
        postgres == null ? "external PostgreSQL" : "PostgreSQL on port " + postgres.port();
    Output output = given.output();
    output.show(() -> ready, () -> print(ready, database, sandbox, isShown, output));
    ServerProcess.untilStopped();
    return 0;
  }

  private static void print(
      JsonNode ready, String database, boolean sandbox, boolean isShown, Output output) {
    output.line("Stockroom is ready.");
    output.line("  interface     " + ready.path("url").asString());
    output.line("  console       " + ready.path("console").asString());
    output.line("  admin API     " + ready.path("admin").asString());
    output.line("  health        " + ready.path("health").asString());
    output.line("  data folder   " + ready.path("data").asString());
    output.line("  database      " + database);
    if (sandbox) {
      output.line(
          "  sandbox       on, see %s/docs/sandbox.html".formatted(ready.path("url").asString()));
    }
    String first = ready.path("firstOperatorFile").asString("");
    if (!first.isEmpty()) {
      output.line("");
      output.line(
          isShown
              ? "There is no operator yet. Open this link to become the first one:"
              : "There is no operator yet. Open the link in this file to become the first one:");
      output.line("  " + first);
      output.line("");
    }
    output.line("Stop with Ctrl-C. First steps: stockroom merchant create --help");
  }
}
