package io.stockroom.cli;

import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "restore",
    description = {
      "Put a backup into an empty database: all of it, or nothing.",
      "The file is checked to its last byte before anything is written."
    },
    footer = {
      "  stockroom restore monday.backup --data /var/lib/stockroom-new",
      "  stockroom restore monday.backup \\",
      "      --database-url postgresql://stockroom@db/empty"
    })
final class RestoreCommand implements Callable<Integer> {
  private final Shell shell;

  @Parameters(paramLabel = "FILE", description = "The backup.")
  private Path file = Path.of("");

  @Mixin private DatabaseOptions options = new DatabaseOptions();

  RestoreCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    var work = new DatabaseWork(options, shell);
    var result = work.restore(file);
    String key = work.keyPlace();
    boolean intact = result.path("audit").path("intact").asBoolean(false);
    Output output = new Output(shell, options.json);
    output.show(
        () -> result.put("secretKey", key),
        () -> {
          output.field("restored", result.path("file"));
          output.field("taken at", result.path("takenAt"));
          output.field(
              "content",
              String.format(
                  Locale.ROOT,
                  "%d tables, %,d rows",
                  result.path("tables").size(),
                  result.path("rows").asLong()));
          output.field("audit", intact ? "intact" : "NOT intact");
          output.field("audit head", result.path("audit").path("head"));
          output.field("tokens to review", result.path("tokensToReview"));
          output.field("time", Output.text(result.path("seconds"), "-") + " s");
          output.line(
              "Everybody is signed out, and earlier links for signing in do not work. Tokens and"
                  + " people that ended after the backup was made are back.");
          output.line(
              "When a server runs, look at the tokens with: stockroom token list --review. Revoke"
                  + " what should not work (token revoke), then confirm the rest (token review)."
                  + " Look at the people with: stockroom person list");
          output.line(
              "Before a server starts, %s must be that of the backed-up server.".formatted(key));
        });
    if (intact) {
      return 0;
    }
    output.problem(
        "Everything was restored, but the audit record was not intact when the backup was made. See: stockroom audit verify");
    return 1;
  }
}
