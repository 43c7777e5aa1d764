package io.stockroom.server.admin;

import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.read.Choices;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** An import as JSON, in the client's language. */
final class ImportResponse {
  private ImportResponse() {}

  static void write(JsonGenerator out, ImportJob job, Language language) {
    ImportReport report = job.report();
    ImportReport.Counts counts = report.counts();
    out.writeStartObject();
    out.writeNumberProperty("importId", job.importId());
    out.writeNumberProperty("merchantId", job.merchantId());
    out.writeStringProperty("kind", job.kind().word());
    number(out, "undoes", job.undoes());
    number(out, "undoneBy", job.undoneBy());
    out.writeBooleanProperty("undoable", job.isUndoable());
    out.writeStringProperty("name", job.name());
    out.writeStringProperty("by", job.actor().name());
    out.writeStringProperty("state", job.state().word());
    Choices choices = job.options().choices();
    out.writeStringProperty("mode", choices.mode().word());
    out.writeStringProperty("differing", choices.differing().word());
    out.writeStringProperty("ranges", choices.rangesAsText() ? "text" : "sizes");
    out.writeBooleanProperty("apply", job.apply());
    out.writeBooleanProperty("skipBad", job.skipBad());
    text(out, "createdAt", job.createdAt().toString());
    Instant finished = job.finishedAt();
    text(out, "finishedAt", finished == null ? null : finished.toString());
    text(out, "reason", reason(report.reason(), language));
    source(out, job, report.source());
    out.writeObjectPropertyStart("progress");
    out.writeStringProperty("phase", job.phase());
    out.writeNumberProperty("done", job.done());
    out.writeNumberProperty("total", job.total());
    out.writeStringProperty("unit", job.unit());
    out.writeEndObject();
    out.writeNumberProperty("created", counts.created());
    out.writeNumberProperty("changed", counts.changed());
    out.writeNumberProperty("unchanged", counts.unchanged());
    out.writeNumberProperty("failed", counts.failed());
    out.writeObjectPropertyStart("stock");
    out.writeNumberProperty("created", counts.stockCreated());
    out.writeNumberProperty("changed", counts.stockChanged());
    out.writeNumberProperty("unchanged", counts.stockUnchanged());
    out.writeEndObject();
    differences(out, report.differences());
    problems(out, "warnings", report.warnings(), language, false);
    problems(out, "errors", report.errors(), language, true);
    out.writeArrayPropertyStart("removed");
    for (ImportReport.Removal removal : report.removed().kinds()) {
      out.writeStartObject();
      out.writeStringProperty("what", removal.what());
      out.writeStringProperty("loses", removal.loses());
      out.writeNumberProperty("descriptions", removal.descriptions());
      out.writeNumberProperty("row", removal.row());
      out.writeStringProperty("artNo", removal.artNo());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeNumberProperty("removedTotal", report.removed().descriptions());
    out.writeArrayPropertyStart("ignored");
    report.ignored().names().forEach(out::writeString);
    out.writeEndArray();
    out.writeNumberProperty("ignoredMinor", report.ignored().minor());
    out.writeBooleanProperty("rejected", job.rejected());
    out.writeEndObject();
  }

  private static @Nullable String reason(@Nullable FileProblem problem, Language language) {
    if (problem == null) {
      return null;
    }
    return new Problem(problem.column(language), problem.code(), List.copyOf(problem.arguments()))
        .sentence(language);
  }

  private static void source(
      JsonGenerator out, ImportJob job, ImportReport.@Nullable Source source) {
    out.writeObjectPropertyStart("source");
    text(out, "format", source == null ? null : source.format());
    text(out, "encoding", source == null ? null : source.encoding());
    text(out, "delimiter", source == null ? null : source.delimiter());
    out.writeNumberProperty("bytes", job.bytes());
    out.writeNumberProperty("rows", source == null ? 0 : source.rows());
    out.writeArrayPropertyStart("columns");
    if (source != null) {
      for (ImportReport.SourceColumn column : source.columns()) {
        out.writeStartObject();
        out.writeStringProperty("column", column.column());
        text(out, "field", column.field());
        out.writeArrayPropertyStart("values");
        column.values().forEach(out::writeString);
        out.writeEndArray();
        out.writeEndObject();
      }
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void differences(JsonGenerator out, List<ImportReport.Difference> differences) {
    out.writeArrayPropertyStart("differences");
    for (ImportReport.Difference difference : differences) {
      out.writeStartObject();
      out.writeNumberProperty("row", difference.row());
      out.writeStringProperty("artNo", difference.artNo());
      out.writeStringProperty("field", difference.field());
      text(out, "old", difference.old());
      text(out, "new", difference.next());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void problems(
      JsonGenerator out,
      String name,
      List<FileProblem> problems,
      Language language,
      boolean placed) {
    out.writeArrayPropertyStart(name);
    for (FileProblem problem : problems) {
      out.writeStartObject();
      if (placed) {
        out.writeNumberProperty("row", problem.row());
        out.writeStringProperty("artNo", problem.artNo());
        out.writeStringProperty("column", problem.column());
        out.writeStringProperty("value", problem.value());
      }
      out.writeStringProperty("code", problem.code().name());
      out.writeStringProperty("msg", problem.message(language));
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void number(JsonGenerator out, String name, @Nullable Integer value) {
    out.writeName(name);
    if (value == null) {
      out.writeNull();
    } else {
      out.writeNumber(value);
    }
  }

  private static void text(JsonGenerator out, String name, @Nullable String value) {
    out.writeName(name);
    if (value == null) {
      out.writeNull();
    } else {
      out.writeString(value);
    }
  }
}
