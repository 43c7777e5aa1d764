package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;

import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom backup}. */
final class BackupCommand {
  private BackupCommand() {}

  static CommandSpec make(Shell shell) {
    DatabaseOptions database = new DatabaseOptions();
    return CommandDefinition.local("backup", given -> run(database, given))
        .does(
            "Write a consistent backup of the whole database, and of all cells, to a file.",
            "It works whether or not the server runs. The file does not contain secret.key, the"
                + " key that encrypts the applications' secrets: keep it too.")
        .examples(
            "stockroom backup monday.backup",
            "stockroom backup /backups/monday.backup --data /var/lib/stockroom --force",
            "stockroom backup east.backup --cell east")
        .with(
            argument("FILE", "The file to write."),
            flag("--force", "Replace an existing file."),
            option("--cell", "NAME", "Back up only this cell, which has a database of its own."))
        .mixin(database)
        .spec(shell);
  }

  private static int run(DatabaseOptions database, Given given) {
    DatabaseOperations work = new DatabaseOperations(database, given.shell());
    Path file = Path.of(given.text("FILE"));
    ObjectNode made = work.backup(file, given.has("--force"), given.orNull("--cell"));
    String key = work.keyPlace();
    given.output().show(() -> made.put("secretKey", key), () -> print(made, key, given.output()));
    return 0;
  }

  private static void print(JsonNode made, String key, Output output) {
    output.fields(made, Columns.of("file, taken at=takenAt"));
    output.field(
        "content",
        content(made) + String.format(Locale.ROOT, ", %.1f MB", made.path("bytes").asLong() / 1e6));
    output.fields(made, Columns.of("sha256"));
    output.field("time", Output.text(made.path("seconds"), "-") + " s");
    for (JsonNode left : made.path("leftOut")) {
      output.line(
          "The cell %1$s cannot be reached and was left out; it has no merchants. Remove it with: stockroom cell remove %1$s"
              .formatted(left.asString()));
    }
    output.line(
        "Also keep %s: it encrypts the secrets in the backup and is not part of it."
            .formatted(key));
  }

  /** How much a backup contains. */
  static String content(JsonNode backup) {
    return Values.count(backup.path("tables").size(), "table", "tables")
        + ", "
        + Values.count(backup.path("rows").asLong(), "row", "rows");
  }
}
