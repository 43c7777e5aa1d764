package io.stockroom.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints what an import found and did. */
final class ImportReport {
  private static final int SHOWN_ERRORS = 20;
  private static final int SHOWN_IGNORED = 8;

  private static final Columns JOB =
      Columns.of(
          "import=importId, merchant=merchantId, state, by, begun=createdAt, ended=finishedAt");

  private final ImportJob job;
  private final Output output;

  ImportReport(ImportJob job, Output output) {
    this.job = job;
    this.output = output;
  }

  /** The result for {@code --json}, and the last event: the whole import. */
  static ObjectNode finished(ImportJob job) {
    ObjectNode event = Json.object().put("event", "finished");
    job.json().properties().forEach(field -> event.set(field.getKey(), field.getValue()));
    return event;
  }

  static String counts(ImportJob job) {
    return String.format(
        Locale.ROOT,
        "%,d created, %,d changed, %,d unchanged, %,d failed",
        job.count("created"),
        job.count("changed"),
        job.count("unchanged"),
        job.count("failed"));
  }

  /** How the import ended, if it did not succeed. */
  static String ending(ImportJob job) {
    String reason = Output.text(job.json().path("reason"), "");
    return switch (job.state()) {
      case "cancelled" -> "The import was canceled; nothing was imported.";
      case "expired" -> "The plan has expired; nothing was imported.";
      case "failed" ->
          "The import failed; nothing was imported"
              + (reason.isBlank() ? ". See the server's log." : ": " + reason);
      case "refused" -> bad(job) + ", so nothing was imported.";
      default -> "Import %d is %s.".formatted(job.id(), job.state());
    };
  }

  static String bad(ImportJob job) {
    return Values.count(job.count("failed"), "product has errors", "products have errors");
  }

  /** Prints the whole import: where it is, what was read, and what it did or would do. */
  void everything() {
    output.fields(job.json(), JOB);
    JsonNode progress = job.json().path("progress");
    if (job.isRunning() && progress.isObject()) {
      String amount =
          Progress.amount(
              progress.path("done").asLong(0),
              progress.path("total").asLong(0),
              Output.text(progress.path("unit"), ""));
      output.field("progress", Output.text(progress.path("phase"), "") + ", " + amount);
    }
    source();
    result();
    differences();
    remarks();
    if (job.state().equals("failed")) {
      output.line(ending(job));
    }
    if (job.hasRejected()) {
      output.line(
          "To get the rejected rows with the reasons: stockroom import show %d --rejected FILE"
              .formatted(job.id()));
    }
  }

  /** Prints what was detected in the file. */
  void source() {
    JsonNode source = job.json().path("source");
    if (!source.path("format").isString()) {
      return;
    }
    List<String> facts = new ArrayList<>();
    facts.add(Output.text(source.path("format"), "").toUpperCase(Locale.ROOT));
    fact(source, "encoding", "").ifPresent(facts::add);
    fact(source, "delimiter", "separated by ").ifPresent(facts::add);
    if (source.path("rows").isNumber()) {
      facts.add(Values.count(source.path("rows").asLong(0), "row", "rows"));
    }
    output.field("file", Output.text(job.json().path("name"), "-"));
    output.field("read as", String.join(", ", facts));
    List<String> columns = new ArrayList<>();
    for (JsonNode column : source.path("columns")) {
      String name = Output.text(column.path("column"), "");
      String field = Output.text(column.path("field"), "");
      if (!field.isEmpty()) {
        columns.add(name.equals(field) ? name : name + " → " + field);
      }
    }
    if (!columns.isEmpty()) {
      output.field("columns", String.join(", ", columns));
    }
    ignored();
  }

  /** Prints the ignored columns that may matter, and how many others there are. */
  private void ignored() {
    List<String> names =
        job.json().path("ignored").valueStream().map(name -> Output.text(name, "")).toList();
    if (names.isEmpty()) {
      return;
    }
    long minor = job.json().path("ignoredMinor").asLong(0);
    List<String> shown =
        names.stream().limit(Math.min(names.size() - minor, SHOWN_IGNORED)).toList();
    long rest = (long) names.size() - shown.size();
    String why = rest == minor ? " (empty, or the same in every row)" : "";
    List<String> parts = new ArrayList<>(shown);
    if (rest > 0) {
      parts.add(
          (shown.isEmpty() ? Values.count(rest, "column", "columns") : "and " + rest + " more")
              + why);
    }
    output.field("ignored", String.join(", ", parts));
  }

  private static Optional<String> fact(JsonNode source, String name, String before) {
    String text = Output.text(source.path(name), "");
    String shown = text.equals("\t") ? "tab" : text;
    return shown.isEmpty() ? Optional.empty() : Optional.of(before + shown);
  }

  /** Prints what the import did or would do. */
  void result() {
    output.line(isPlan() ? plan() : counts(job));
    JsonNode stock = job.json().path("stock");
    if (stock.path("created").asLong(0) > 0
        || stock.path("changed").asLong(0) > 0
        || stock.path("unchanged").asLong(0) > 0) {
      output.line(
          String.format(
              Locale.ROOT,
              "stock entries: %,d %s, %,d changed, %,d unchanged",
              stock.path("created").asLong(0),
              isPlan() ? "new" : "created",
              stock.path("changed").asLong(0),
              stock.path("unchanged").asLong(0)));
    }
  }

  /** A rejected import was never applied, so its counts are those of the plan. */
  private boolean isPlan() {
    return job.state().equals("planned") || job.state().equals("refused");
  }

  private String plan() {
    return String.format(
        Locale.ROOT,
        "products: %,d new, %,d changed, %,d unchanged, %,d bad",
        job.count("created"),
        job.count("changed"),
        job.count("unchanged"),
        job.count("failed"));
  }

  /** Prints the first changes, field by field. */
  void differences() {
    Table table =
        Table.of(
            job.json().path("differences"),
            Columns.of("ROW=row, ITEM=artNo, FIELD=field")
                .and("NOW", each -> shortened(Output.text(each.path("old"), "-")))
                .and("THEN", each -> shortened(Output.text(each.path("new"), "-"))));
    if (!table.isEmpty()) {
      output.line("");
      output.line("The first changes:");
      output.table(table);
    }
  }

  /** Prints warnings, removed HTML, and the rows with errors. */
  void remarks() {
    for (JsonNode warning : job.json().path("warnings")) {
      output.line("Warning: " + Output.text(warning.path("msg"), ""));
    }
    long removed = job.json().path("removedTotal").asLong(0);
    if (removed > 0) {
      output.line(
          "Warning: HTML that is not allowed is removed from %s; %s:"
              .formatted(
                  Values.count(removed, "description", "descriptions"),
                  losesContent()
                      ? "readers lose what it showed"
                      : "nothing that it showed is lost"));
      job.json().path("removed").forEach(kind -> output.line("  " + removal(kind)));
    }
    JsonNode errors = job.json().path("errors");
    errors.valueStream().limit(SHOWN_ERRORS).forEach(error -> output.line(fault(error)));
    if (errors.size() > SHOWN_ERRORS) {
      output.line("… and more.");
    }
  }

  private boolean losesContent() {
    return job.json()
        .path("removed")
        .valueStream()
        .anyMatch(kind -> kind.path("loses").asString("").equals("content"));
  }

  private static String removal(JsonNode kind) {
    String loses =
        switch (Output.text(kind.path("loses"), "")) {
          case "content" -> "content";
          case "look" -> "only the look";
          default -> "nothing visible";
        };
    return "%s: %s, in %s, first in %s (row %s)"
        .formatted(
            Output.text(kind.path("what"), "-"),
            loses,
            Values.count(kind.path("descriptions").asLong(), "description", "descriptions"),
            Output.text(kind.path("artNo"), "-"),
            Output.text(kind.path("row"), "-"));
  }

  private static String fault(JsonNode error) {
    String column = Output.text(error.path("column"), "");
    String value = shortened(Output.text(error.path("value"), ""));
    String message = Output.text(error.path("msg"), "");
    String row = Output.text(error.path("row"), "");
    String at = (row.isEmpty() ? "" : "row " + row) + (column.isEmpty() ? "" : ", " + column);
    return (at.isEmpty() ? "" : at + ": ")
        + message
        + (value.isEmpty() || message.contains(value) ? "" : " ('" + value + "')");
  }

  private static String shortened(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.codePointCount(0, line.length()) <= 40
        ? line
        : line.substring(0, line.offsetByCodePoints(0, 39)) + "…";
  }
}
