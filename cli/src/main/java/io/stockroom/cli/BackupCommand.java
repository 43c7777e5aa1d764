package io.stockroom.cli;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "backup",
    description = {
      "Write a consistent backup of the whole database, and of all cells, to a file.",
      "It works whether or not the server runs. The file does not contain secret.key, the key that"
          + " encrypts the applications' secrets: keep it too."
    },
    footer = {
      "  stockroom backup monday.backup",
      "  stockroom backup /backups/monday.backup --data /var/lib/stockroom --force",
      "  stockroom backup east.backup --cell east"
    })
final class BackupCommand implements Runnable {
  private final Shell shell;

  @Parameters(paramLabel = "FILE", description = "The file to write.")
  private Path file = Path.of("");

  @Option(names = "--force", description = "Replace an existing file.")
  private boolean force;

  @Option(
      names = "--cell",
      paramLabel = "NAME",
      description = "Back up only this cell, which has a database of its own.")
  private @Nullable String cell;

  @Mixin private DatabaseOptions options = new DatabaseOptions();

  BackupCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var work = new DatabaseOperations(options, shell);
    var result = work.backup(file, force, cell);
    String key = work.keyPlace();
    Output output = new Output(shell, options.json);
    output.show(
        () -> result.put("secretKey", key),
        () -> {
          output.field("file", result.path("file"));
          output.field("taken at", result.path("takenAt"));
          output.field(
              "content",
              String.format(
                  Locale.ROOT,
                  "%s, %s, %.1f MB",
                  Counts.of(result.path("tables").size(), "table", "tables"),
                  Counts.of(result.path("rows").asLong(), "row", "rows"),
                  result.path("bytes").asLong() / 1e6));
          output.field("sha256", result.path("sha256"));
          output.field("time", Output.text(result.path("seconds"), "-") + " s");
          for (JsonNode left : result.path("leftOut")) {
            output.line(
                "The cell %1$s cannot be reached and was left out; it has no merchants. Remove it with: stockroom cell remove %1$s"
                    .formatted(left.asString()));
          }
          output.line(
              "Also keep %s: it encrypts the secrets in the backup and is not part of it."
                  .formatted(key));
        });
  }
}
