package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code stockroom import}: import jobs. */
final class ImportCommands {
  private static final CommandOption MERCHANT =
      MerchantCommands.filter("Its merchant; required if the import is no longer in the list.")
          .local();
  private static final CommandOption ID = id("list");

  private ImportCommands() {}

  private static CommandOption id(String list) {
    return argument("ID", "The import (see: stockroom import %s).".formatted(list))
        .as(Long.class, Values::importId);
  }

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "import",
        "List, follow, apply and cancel imports.",
        List.of(
            "stockroom import list --merchant 1",
            "stockroom import show 7",
            "stockroom product import --help"),
        list(),
        show(),
        CommandDefinition.of("watch", ImportCommands::watch)
            .does(
                "Follow an import until it ends.",
                "Ctrl-C stops this command, not the import. --json prints the import as one JSON"
                    + " object when it has ended; --json-stream also prints every step.")
            .examples("stockroom import watch 7", "stockroom import watch 7 --json-stream")
            .with(ID, MERCHANT)
            .streams(),
        CommandDefinition.of("apply", ImportCommands::apply)
            .does(
                "Apply the plan of a dry run and follow it until it ends.",
                "Ctrl-C cancels the import.")
            .examples("stockroom import apply 7", "stockroom import apply 7 --skip-bad")
            .with(
                id("list --state planned"),
                MERCHANT,
                flag("--skip-bad", "Import the valid products if others have errors."))
            .streams(),
        CommandDefinition.of("undo", ImportCommands::undo)
            .does(
                "Undo an applied import and follow the undo until it ends.",
                "Restores every value that has not changed since the import, and lists the others."
                    + " An undo is an import job of its own, so you can undo it, too. Products that"
                    + " the import created stay, with a stock of 0.")
            .examples("stockroom import undo 7")
            .with(id("list --state applied"), MERCHANT)
            .streams(),
        cancel());
  }

  private static CommandDefinition show() {
    return CommandDefinition.of("show", ImportCommands::show)
        .does("Show an import: its file, its progress, and its changes.")
        .examples("stockroom import show 7", "stockroom import show 7 --rejected bad-rows.csv")
        .with(
            ID,
            MERCHANT,
            option("--rejected", "FILE", "Write the rejected rows to this new file."));
  }

  private static CommandDefinition list() {
    return CommandDefinition.get("list", "/admin/imports")
        .does("List the last 100 imports, newest first.")
        .examples(
            "stockroom import list", "stockroom import list --merchant 1 --state planned --json")
        .with(
            MerchantCommands.filter("Only imports of this merchant.").field("merchantId"),
            option(
                "--state",
                "STATE",
                "Only imports in this state: waiting, planning, planned, applying, applied,"
                    + " refused, failed, cancelled or expired."))
        .none("There are no imports. Start one with: stockroom product import")
        .noMatch("No import matches.")
        .lists(
            "imports",
            Columns.of(
                "ID=importId, MERCHANT=merchantId, FILE=name, STATE=state, NEW=created,"
                    + " CHANGED=changed, UNCHANGED=unchanged, BAD=failed, BEGUN=createdAt, BY=by"));
  }

  private static int show(Given given) {
    Path rejected = given.path("--rejected");
    OutputFile target = rejected == null ? null : new OutputFile(rejected, false);
    if (target != null) {
      target.refuse();
    }
    ImportJob job = ImportJob.find(given);
    if (target != null) {
      given.api().download(job.path() + "/rejected", (rows, _) -> target.write(rows));
    }
    given.output().show(job::json, () -> new ImportReport(job, given.output()).everything());
    return 0;
  }

  private static int watch(Given given) {
    ImportJob job = ImportJob.find(given);
    try (LiveLine line = new LiveLine(given.shell())) {
      job = new ImportWatch(given).follow(job, line);
    }
    return new ImportOutcome(given).concludeElsewhere(job);
  }

  private static int apply(Given given) {
    ImportJob planned = ImportJob.find(given);
    ImportJob job;
    try (CancelOnInterrupt run = new CancelOnInterrupt(planned.merchantId(), given)) {
      job =
          run.follow(
              planned,
              () -> new ImportJob(given.api().post(planned.path() + "/apply", skipBad(given))));
    }
    return new ImportOutcome(given).concludeElsewhere(job);
  }

  private static JsonNode skipBad(Given given) {
    return Json.object().put("skipBad", given.has("--skip-bad"));
  }

  private static int undo(Given given) {
    String path = ImportJob.find(given).path() + "/undo";
    ImportJob job = new ImportJob(given.api().post(path, Json.object()));
    try (LiveLine line = new LiveLine(given.shell())) {
      job = new ImportWatch(given).follow(job, line);
    }
    return new ImportOutcome(given).concludeUndo(job);
  }

  private static CommandDefinition cancel() {
    return CommandDefinition.post("cancel", "")
        .does("Cancel an import that has not ended. Nothing is imported.")
        .examples("stockroom import cancel 7")
        .with(ID, MERCHANT)
        .calls(given -> given.api().post(ImportJob.find(given).path() + "/cancel", Json.object()))
        .prints(
            (answer, given) -> {
              ImportJob job = new ImportJob(answer);
              String sentence =
                  job.isRunning()
                      ? "Import %1$d is being canceled. Follow it with: stockroom import watch %1$d"
                      : "Import %d is canceled; nothing was imported.";
              given.output().line(sentence.formatted(job.id()));
            });
  }
}
