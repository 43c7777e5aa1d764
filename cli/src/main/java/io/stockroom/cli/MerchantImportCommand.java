package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** {@code stockroom merchant import}. */
final class MerchantImportCommand {
  private MerchantImportCommand() {}

  static CommandDefinition command() {
    return CommandDefinition.of("import", MerchantImportCommand::run)
        .does(
            "Create merchants from a CSV file: each row names a merchant with its store, and the"
                + " application that gets a token for it.",
            "Without --apply, only show what would be created. What exists already is kept, so the"
                + " import can run again.")
        .examples(
            "stockroom merchant import merchants.csv",
            "stockroom merchant import merchants.csv --apply --credentials credentials.csv")
        .notes(
            "Columns: name, storeUrl, storeName; optional: application (its name), boundStore,"
                + " scopes",
            "(separated by spaces; default: all), expires (such as P90D).")
        .with(
            argument("FILE", "The CSV file in UTF-8; - is standard input."),
            flag("--apply", "Create what the plan shows."),
            option(
                "--credentials",
                "FILE",
                "With --apply: the new file for appids, secrets and tokens, readable only by"
                    + " you."));
  }

  private static int run(Given given) {
    Path credentials = given.path("--credentials");
    if (given.has("--apply") == (credentials == null)) {
      throw CommandException.usage(
          "Pass --apply and --credentials FILE together. Help: stockroom merchant import --help");
    }
    MerchantImport plan;
    try (InputFile input = InputFile.open(Path.of(given.text("FILE")), given.shell())) {
      plan = MerchantImport.plan(input, given.api());
    }
    JsonNode planned = plan.json(false);
    boolean creates = plan.createsAnything();
    if (credentials != null && creates) {
      plan.apply(credentials);
    }
    given
        .output()
        .show(
            () -> credentials == null ? planned : plan.json(true),
            () -> print(planned, creates, credentials, given.output()));
    return 0;
  }

  private static void print(
      JsonNode planned, boolean creates, @Nullable Path credentials, Output output) {
    output.table(
        Table.of(
            planned.path("rows"),
            Columns.of(
                "LINE=line, STORE URL=storeUrl, MERCHANT=merchant, APPLICATION=application,"
                    + " TOKEN=token")));
    if (!creates) {
      output.line("Everything exists already. Nothing was created.");
    } else if (credentials == null) {
      output.line("Nothing was created. Create what is new with: --apply --credentials FILE");
    } else {
      output.line(
          "Created what was new. %s contains the secrets and tokens: the server shows them only once."
              .formatted(credentials));
    }
  }
}
