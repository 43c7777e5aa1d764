package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.option;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom restore}. */
final class RestoreCommand {
  private RestoreCommand() {}

  static CommandSpec make(Shell shell) {
    DatabaseOptions database = new DatabaseOptions();
    return CommandDefinition.local("restore", given -> run(database, given))
        .does(
            "Restore a backup to an empty database, completely or not at all.",
            "The whole file is checked before anything is written.")
        .examples(
            "stockroom restore monday.backup --data /var/lib/stockroom-new",
            "stockroom restore monday.backup \\",
            "    --database-url postgresql://stockroom@db/empty",
            "stockroom restore monday.backup --cell east \\",
            "    --cell-database east=postgresql://stockroom@db2/east2")
        .with(
            argument("FILE", "The backup."),
            option("--cell", "NAME", "Restore only this cell, into an empty database of its own."),
            option(
                    "--cell-database",
                    "NAME=URL",
                    "The empty database for a cell (default: the address in the directory). May be"
                        + " repeated.\nIf the URL names a user, the password is in the variable "
                        + CellCommands.PASSWORD
                        + ".")
                .as(Map.class))
        .mixin(database)
        .spec(shell);
  }

  private static int run(DatabaseOptions database, Given given) {
    DatabaseOperations work = new DatabaseOperations(database, given.shell());
    String cell = given.orNull("--cell");
    ObjectNode result =
        work.restore(Path.of(given.text("FILE")), cell, given.map("--cell-database"));
    String key = work.keyPlace();
    Output output = given.output();
    output.show(() -> result.put("secretKey", key), () -> print(result, cell, key, output));
    if (isIntact(result)) {
      return 0;
    }
    output.problem(
        "Everything was restored, but the audit log was not intact when the backup was made. See:"
            + " stockroom audit verify");
    return 1;
  }

  private static boolean isIntact(JsonNode result) {
    return result.path("audit").path("intact").asBoolean(false);
  }

  /** What a person reads after a restore, of everything or of one cell. */
  static void print(JsonNode result, @Nullable String cell, String key, Output output) {
    output.fields(result, Columns.of("restored=file, taken at=takenAt"));
    output.field("content", BackupCommand.content(result));
    output.field("audit", isIntact(result) ? "intact" : "NOT intact");
    output.field("audit head", result.path("audit").path("head"));
    output.field(
        "to review", Values.count(result.path("tokensToReview").asLong(), "token", "tokens"));
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
