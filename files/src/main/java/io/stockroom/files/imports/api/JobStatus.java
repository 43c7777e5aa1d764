package io.stockroom.files.imports.api;

import io.stockroom.core.call.Answer;
import io.stockroom.files.imports.ImportErrors;
import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.plan.ImportReport.Counts;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.protocol.Language;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What a job has done so far, with a page of its errors. */
record JobStatus(ImportJob job, ImportErrors.Page errors, int page) implements Answer {
  @Override
  public void write(JsonGenerator out, Language language) {
    Counts counts = job.report().counts();
    FileProblem reason = job.report().reason();
    out.writeStartObject();
    out.writeBooleanProperty("success", true);
    out.writeStringProperty("msg", "");
    out.writeStringProperty("job", Integer.toString(job.importId()));
    out.writeStringProperty("kind", job.kind().word());
    out.writeStringProperty("state", job.state().word());
    out.writeStringProperty("mode", job.options().mode().word());
    out.writeBooleanProperty("apply", job.apply());
    text(out, "undoes", job.undoes());
    text(out, "undoneBy", job.undoneBy());
    out.writeBooleanProperty("undoable", job.isUndoable());
    progress(out);
    out.writeObjectPropertyStart("products");
    out.writeNumberProperty("created", counts.created());
    out.writeNumberProperty("changed", counts.changed());
    out.writeNumberProperty("unchanged", counts.unchanged());
    out.writeNumberProperty("failed", counts.failed());
    out.writeEndObject();
    out.writeObjectPropertyStart("entries");
    out.writeNumberProperty("created", counts.stockCreated());
    out.writeNumberProperty("changed", counts.stockChanged());
    out.writeNumberProperty("unchanged", counts.stockUnchanged());
    out.writeEndObject();
    text(out, "code", reason == null ? null : reason.code());
    text(out, "reason", reason == null ? null : reason.message(language));
    out.writeArrayPropertyStart("warnings");
    for (FileProblem warning : job.report().warnings()) {
      out.writeStartObject();
      out.writeStringProperty("code", warning.code().name());
      out.writeStringProperty("msg", warning.message(language));
      out.writeEndObject();
    }
    out.writeEndArray();
    removed(out);
    out.writeNumberProperty("page", page);
    out.writeNumberProperty("totalPages", errors.pages());
    out.writeArrayPropertyStart("errors");
    errors.errors().forEach(error -> error(out, error, language));
    out.writeEndArray();
    out.writeEndObject();
  }

  private void removed(JsonGenerator out) {
    out.writeNumberProperty("removedTotal", job.report().removed().descriptions());
    out.writeArrayPropertyStart("removed");
    for (ImportReport.Removal removal : job.report().removed().kinds()) {
      out.writeStartObject();
      out.writeStringProperty("what", removal.what());
      out.writeStringProperty("loses", removal.loses());
      out.writeNumberProperty("descriptions", removal.descriptions());
      out.writeNumberProperty("row", removal.row());
      out.writeStringProperty("artNo", removal.artNo());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void progress(JsonGenerator out) {
    out.writeObjectPropertyStart("progress");
    text(out, "phase", job.phase());
    out.writeNumberProperty("done", job.done());
    out.writeNumberProperty("total", job.total());
    text(out, "unit", job.unit());
    out.writeName("secondsLeft");
    Long left = job.secondsLeft();
    if (left == null) {
      out.writeNull();
    } else {
      out.writeNumber(left);
    }
    out.writeEndObject();
  }

  private static void error(JsonGenerator out, FileProblem error, Language language) {
    out.writeStartObject();
    out.writeNumberProperty("row", error.row());
    out.writeStringProperty("artNo", error.artNo());
    out.writeStringProperty("column", error.column(language));
    out.writeStringProperty("value", error.value());
    out.writeStringProperty("code", error.code().name());
    out.writeStringProperty("msg", error.message(language));
    out.writeEndObject();
  }

  private static void text(JsonGenerator out, String name, @Nullable Object value) {
    out.writeName(name);
    if (value == null) {
      out.writeNull();
    } else {
      out.writeString(value.toString());
    }
  }
}
