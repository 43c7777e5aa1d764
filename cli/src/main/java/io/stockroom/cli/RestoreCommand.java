package io.stockroom.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "restore",
    description = {
      "Restore a backup to an empty database, completely or not at all.",
      "The whole file is checked before anything is written."
    },
    footer = {
      "  stockroom restore monday.backup --data /var/lib/stockroom-new",
      "  stockroom restore monday.backup \\",
      "      --database-url postgresql://stockroom@db/empty",
      "  stockroom restore monday.backup --cell east \\",
      "      --cell-database east=postgresql://stockroom@db2/east2"
    })
final class RestoreCommand implements Callable<Integer> {
  private final Shell shell;

  @Parameters(paramLabel = "FILE", description = "The backup.")
  private Path file = Path.of("");

  @Option(
      names = "--cell",
      paramLabel = "NAME",
      description = "Restore only this cell, into an empty database of its own.")
  private @Nullable String cell;

  @Option(
      names = "--cell-database",
      paramLabel = "NAME=URL",
      description = {
        "The empty database for a cell (default: the address in the directory). May be repeated.",
        "If the URL names a user, the password is in the variable " + CellCommands.PASSWORD + "."
      })
  private Map<String, String> cellDatabases = new LinkedHashMap<>();

  @Mixin private DatabaseOptions options = new DatabaseOptions();

  RestoreCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    var work = new DatabaseOperations(options, shell);
    var result = work.restore(file, cell, cellDatabases);
    String key = work.keyPlace();
    boolean intact = isIntact(result);
    Output output = new Output(shell, options.json);
    output.show(() -> result.put("secretKey", key), () -> print(result, cell, key, output));
    if (intact) {
      return 0;
    }
    output.problem(
        "Everything was restored, but the audit log was not intact when the backup was made. See: stockroom audit verify");
    return 1;
  }

  private static boolean isIntact(JsonNode result) {
    return result.path("audit").path("intact").asBoolean(false);
  }

  /** What a person reads after a restore, of everything or of one cell. */
  static void print(JsonNode result, @Nullable String cell, String key, Output output) {
    output.field("restored", result.path("file"));
    output.field("taken at", result.path("takenAt"));
    output.field(
        "content",
        "%s, %s"
            .formatted(
                Counts.of(result.path("tables").size(), "table", "tables"),
                Counts.of(result.path("rows").asLong(), "row", "rows")));
    output.field("audit", isIntact(result) ? "intact" : "NOT intact");
    output.field("audit head", result.path("audit").path("head"));
    output.field("to review", Counts.of(result.path("tokensToReview").asLong(), "token", "tokens"));
    output.field("time", Output.text(result.path("seconds"), "-") + " s");
    if (!result.path("check").path("problems").isEmpty()) {
      CellCommands.showCheck(result.path("check"), output);
    }
    if (cell != null) {
      output.line(
          "Running nodes use the restored cell within a second. The webhooks of its merchants are"
              + " disabled, and clients need a new snapshot.");
      return;
    }
    output.line(
        "Everyone is signed out, and earlier sign-in links no longer work. Tokens and"
            + " people that were removed after the backup are back.");
    output.line(
        "After you start a server, review the tokens: stockroom token list --review. Revoke"
            + " unwanted ones (token revoke), then confirm the rest (token review)."
            + " Check the people with: stockroom person list");
    output.line("Before you start a server, copy %s from the backed-up server.".formatted(key));
  }
}
