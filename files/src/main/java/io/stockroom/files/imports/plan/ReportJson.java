package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes reports as JSON. Problems are stored as codes and shown in any language. */
public final class ReportJson {
  private static final JsonMapper MAPPER = new JsonMapper();

  private ReportJson() {}

  public static String write(ImportReport report) {
    ObjectNode node = MAPPER.createObjectNode();
    ImportReport.Source source = report.source();
    if (source != null) {
      ObjectNode inner = node.putObject("source");
      inner.put("format", source.format());
      inner.put("encoding", source.encoding());
      inner.put("delimiter", source.delimiter());
      inner.put("rows", source.rows());
      ArrayNode columns = inner.putArray("columns");
      source
          .columns()
          .forEach(
              column ->
                  columns
                      .addObject()
                      .put("column", FileProblem.shown(column.column()))
                      .put("field", column.field()));
      ArrayNode sample = inner.putArray("sample");
      source.sample().forEach(row -> row.forEach(sample.addArray()::add));
    }
    ImportReport.Counts counts = report.counts();
    node.putObject("counts")
        .put("created", counts.created())
        .put("changed", counts.changed())
        .put("unchanged", counts.unchanged())
        .put("failed", counts.failed())
        .put("stockCreated", counts.stockCreated())
        .put("stockChanged", counts.stockChanged())
        .put("stockUnchanged", counts.stockUnchanged());
    ArrayNode differences = node.putArray("differences");
    for (ImportReport.Difference each : report.differences()) {
      differences
          .addObject()
          .put("row", each.row())
          .put("artNo", each.artNo())
          .put("field", each.field())
          .put("old", each.old())
          .put("new", each.next());
    }
    report.warnings().forEach(each -> write(node.withArray("/warnings").addObject(), each));
    report.errors().forEach(each -> write(node.withArray("/errors").addObject(), each));
    for (ImportReport.Removal each : report.removed()) {
      node.withArray("/removed")
          .addObject()
          .put("what", each.what())
          .put("row", each.row())
          .put("artNo", each.artNo())
          .put("descriptions", each.descriptions());
    }
    node.put("removedTotal", report.removedTotal());
    report.ignored().forEach(each -> node.withArray("/ignored").add(FileProblem.shown(each)));
    FileProblem reason = report.reason();
    if (reason != null) {
      write(node.putObject("reason"), reason);
    }
    return MAPPER.writeValueAsString(node);
  }

  private static void write(ObjectNode node, FileProblem problem) {
    node.put("row", problem.row())
        .put("column", problem.column())
        .put("value", problem.value())
        .put("code", problem.code().name());
    if (!problem.artNo().isEmpty()) {
      node.put("artNo", problem.artNo());
    }
    problem.arguments().forEach(node.putArray("arguments")::add);
  }

  public static ImportReport read(String json) {
    JsonNode node = MAPPER.readTree(json);
    JsonNode source = node.get("source");
    JsonNode counts = node.path("counts");
    JsonNode reason = node.get("reason");
    return new ImportReport(
        source == null ? null : source(source),
        new ImportReport.Counts(
            counts.path("created").asInt(0),
            counts.path("changed").asInt(0),
            counts.path("unchanged").asInt(0),
            counts.path("failed").asInt(0),
            counts.path("stockCreated").asLong(0),
            counts.path("stockChanged").asLong(0),
            counts.path("stockUnchanged").asLong(0)),
        list(
            node.path("differences"),
            each ->
                new ImportReport.Difference(
                    each.path("row").asInt(),
                    each.path("artNo").asString(),
                    each.path("field").asString(),
                    text(each, "old"),
                    text(each, "new"))),
        list(node.path("warnings"), ReportJson::problem),
        list(node.path("errors"), ReportJson::problem),
        list(
            node.path("removed"),
            each ->
                new ImportReport.Removal(
                    each.path("what").asString(),
                    each.path("row").asInt(),
                    each.path("artNo").asString(),
                    each.path("descriptions").asInt(1))),
        node.path("removedTotal").asInt(0),
        list(node.path("ignored"), JsonNode::asString),
        reason == null ? null : problem(reason));
  }

  private static ImportReport.Source source(JsonNode node) {
    return new ImportReport.Source(
        node.path("format").asString(),
        text(node, "encoding"),
        text(node, "delimiter"),
        node.path("rows").asInt(0),
        list(
            node.path("columns"),
            each ->
                new ImportReport.SourceColumn(each.path("column").asString(), text(each, "field"))),
        list(node.path("sample"), row -> list(row, JsonNode::asString)));
  }

  private static FileProblem problem(JsonNode node) {
    return new FileProblem(
        node.path("row").asInt(0),
        node.path("column").asString(),
        node.path("value").asString(),
        ErrorCode.valueOf(node.path("code").asString()),
        list(node.path("arguments"), JsonNode::asString),
        node.path("artNo").asString(""));
  }

  private static @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.get(field);
    return value == null || value.isNull() ? null : value.asString();
  }

  private static <T> List<T> list(JsonNode array, Function<JsonNode, T> reading) {
    List<T> list = new ArrayList<>();
    array.forEach(each -> list.add(reading.apply(each)));
    return list;
  }
}
