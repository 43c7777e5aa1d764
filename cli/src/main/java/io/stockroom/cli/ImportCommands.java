package io.stockroom.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "import",
    description = "List, follow, apply and cancel imports.",
    footer = {
      "  stockroom import list --merchant 1",
      "  stockroom import show 7",
      "  stockroom product import --help"
    })
final class ImportCommands {
  private final Shell shell;

  ImportCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "List the last 100 imports, newest first.",
      footer = {
        "  stockroom import list",
        "  stockroom import list --merchant 1 --state planned --json"
      })
  void list(
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Only imports of this merchant.")
          @Nullable MerchantId merchant,
      @Option(
              names = "--state",
              paramLabel = "STATE",
              description =
                  "Only imports in this state: waiting, planning, planned, applying, applied, refused,"
                      + " failed, cancelled or expired.")
          @Nullable String state,
      @Mixin OperatorOptions operator) {
    List<String> filters = new ArrayList<>();
    if (merchant != null) {
      filters.add("merchantId=" + merchant);
    }
    if (state != null) {
      filters.add("state=" + AdminApi.parameter(state));
    }
    String query = filters.isEmpty() ? "" : "?" + String.join("&", filters);
    JsonNode answer = operator.connect(shell).get("/admin/imports" + query);
    Output output = operator.output(shell);
    output.show(() -> answer, () -> showAll(answer.path("imports"), !filters.isEmpty(), output));
  }

  @Command(
      name = "show",
      description = "Show an import: its file, its progress, and its changes.",
      footer = {"  stockroom import show 7", "  stockroom import show 7 --rejected bad-rows.csv"})
  void show(
      @Parameters(
              paramLabel = "ID",
              converter = ImportId.Converter.class,
              description = "The import (see: stockroom import list).")
          ImportId id,
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Its merchant; required if the import is no longer in the list.")
          @Nullable MerchantId merchant,
      @Option(
              names = "--rejected",
              paramLabel = "FILE",
              description = "Write the rejected rows to this new file.")
          @Nullable Path rejected,
      @Mixin OperatorOptions operator) {
    OutputFile target = rejected == null ? null : new OutputFile(rejected, false);
    if (target != null) {
      target.refuse();
    }
    AdminApi api = operator.connect(shell);
    ImportJob job = ImportJob.find(id, merchant, api);
    if (target != null) {
      api.download(job.path() + "/rejected", (rows, _) -> target.write(rows));
    }
    Output output = operator.output(shell);
    output.show(job::json, () -> showOne(job, output));
  }

  @Command(
      name = "watch",
      description = {
        "Follow an import until it ends.",
        "Ctrl-C stops this command, not the import. --json prints the import as one JSON"
            + " object when it has ended; --json-stream also prints every step."
      },
      footer = {"  stockroom import watch 7", "  stockroom import watch 7 --json-stream"})
  int watch(
      @Parameters(
              paramLabel = "ID",
              converter = ImportId.Converter.class,
              description = "The import (see: stockroom import list).")
          ImportId id,
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Its merchant; required if the import is no longer in the list.")
          @Nullable MerchantId merchant,
      @Mixin JsonStreamOption stream,
      @Mixin OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    ImportJob job = ImportJob.find(id, merchant, api);
    Output output = stream.output(operator, shell);
    try (LiveLine line = new LiveLine(shell)) {
      job = new ImportWatch(api, shell, output, ImportWatch.PATIENCE).follow(job, line);
    }
    return new ImportOutcome(output, api).concludeElsewhere(job);
  }

  @Command(
      name = "apply",
      description = {
        "Apply the plan of a dry run and follow it until it ends.",
        "Ctrl-C cancels the import."
      },
      footer = {"  stockroom import apply 7", "  stockroom import apply 7 --skip-bad"})
  int apply(
      @Parameters(
              paramLabel = "ID",
              converter = ImportId.Converter.class,
              description = "The import (see: stockroom import list --state planned).")
          ImportId id,
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Its merchant; required if the import is no longer in the list.")
          @Nullable MerchantId merchant,
      @Option(
              names = "--skip-bad",
              description = "Import the valid products if others have errors.")
          boolean skipBad,
      @Mixin JsonStreamOption stream,
      @Mixin OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    ImportJob planned = ImportJob.find(id, merchant, api);
    Output output = stream.output(operator, shell);
    ImportWatch watch = new ImportWatch(api, shell, output, ImportWatch.PATIENCE);
    MerchantId owner = new MerchantId(planned.merchantId());
    ImportJob job;
    try (LiveLine line = new LiveLine(shell);
        CancelOnInterrupt interrupt = new CancelOnInterrupt(owner, api, output, line, watch)) {
      interrupt.begun(planned);
      job =
          new ImportJob(api.post(planned.path() + "/apply", Json.object().put("skipBad", skipBad)));
      job = watch.follow(job, line);
    }
    return new ImportOutcome(output, api).concludeElsewhere(job);
  }

  @Command(
      name = "undo",
      description = {
        "Undo an applied import and follow the undo until it ends.",
        "Restores every value that has not changed since the import, and lists the others. An undo"
            + " is an import job of its own, so you can undo it, too. Products that the import created"
            + " stay, with a stock of 0."
      },
      footer = "  stockroom import undo 7")
  int undo(
      @Parameters(
              paramLabel = "ID",
              converter = ImportId.Converter.class,
              description = "The import (see: stockroom import list --state applied).")
          ImportId id,
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Its merchant; required if the import is no longer in the list.")
          @Nullable MerchantId merchant,
      @Mixin JsonStreamOption stream,
      @Mixin OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    ImportJob undone = ImportJob.find(id, merchant, api);
    Output output = stream.output(operator, shell);
    ImportWatch watch = new ImportWatch(api, shell, output, ImportWatch.PATIENCE);
    ImportJob job = new ImportJob(api.post(undone.path() + "/undo", Json.object()));
    try (LiveLine line = new LiveLine(shell)) {
      job = watch.follow(job, line);
    }
    return new ImportOutcome(output, api).concludeUndo(job);
  }

  @Command(
      name = "cancel",
      description = "Cancel an import that has not ended. Nothing is imported.",
      footer = "  stockroom import cancel 7")
  void cancel(
      @Parameters(
              paramLabel = "ID",
              converter = ImportId.Converter.class,
              description = "The import (see: stockroom import list).")
          ImportId id,
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Its merchant; required if the import is no longer in the list.")
          @Nullable MerchantId merchant,
      @Mixin OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    ImportJob found = ImportJob.find(id, merchant, api);
    ImportJob job = new ImportJob(api.post(found.path() + "/cancel", Json.object()));
    Output output = operator.output(shell);
    output.show(
        job::json,
        () ->
            output.line(
                job.isRunning()
                    ? "Import %1$d is being canceled. Follow it with: stockroom import watch %1$d"
                        .formatted(job.id())
                    : "Import %d is canceled; nothing was imported.".formatted(job.id())));
  }

  private static void showAll(JsonNode imports, boolean isFiltered, Output output) {
    if (imports.isEmpty()) {
      output.line(
          isFiltered
              ? "No import matches."
              : "There are no imports. Start one with: stockroom product import");
      return;
    }
    Table table =
        new Table(
            "ID", "MERCHANT", "FILE", "STATE", "NEW", "CHANGED", "UNCHANGED", "BAD", "BEGUN", "BY");
    for (JsonNode job : imports) {
      table.row(
          job,
          "importId",
          "merchantId",
          "name",
          "state",
          "created",
          "changed",
          "unchanged",
          "failed",
          "createdAt",
          "by");
    }
    output.table(table);
  }

  private static void showOne(ImportJob job, Output output) {
    output.field("import", job.json().path("importId"));
    output.field("merchant", job.json().path("merchantId"));
    output.field("state", job.json().path("state"));
    output.field("by", job.json().path("by"));
    output.field("begun", job.json().path("createdAt"));
    output.field("ended", job.json().path("finishedAt"));
    JsonNode progress = job.json().path("progress");
    if (job.isRunning() && progress.isObject()) {
      output.field(
          "progress",
          Output.text(progress.path("phase"), "")
              + ", "
              + ProgressText.amount(
                  progress.path("done").asLong(0),
                  progress.path("total").asLong(0),
                  Output.text(progress.path("unit"), "")));
    }
    ImportReport report = new ImportReport(job, output);
    report.source();
    report.result();
    report.differences();
    report.remarks();
    if (job.state().equals("failed")) {
      output.line(ImportReport.ending(job));
    }
    if (job.hasRejected()) {
      output.line(
          "To get the rejected rows with the reasons: stockroom import show %d --rejected FILE"
              .formatted(job.id()));
    }
  }
}
