package io.stockroom.core.limits;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes a usage report as JSON. */
final class UsageJson {
  private UsageJson() {}

  static void writeFields(JsonGenerator out, Usage.Report report) {
    out.writeArrayPropertyStart("limits");
    report.limits().forEach(line -> write(out, line));
    out.writeEndArray();
    out.writeObjectPropertyStart("unpublished");
    out.writeNumberProperty("page", report.page());
    out.writeNumberProperty("totalPages", report.totalPages());
    out.writeNumberProperty("total", report.total());
    out.writeArrayPropertyStart("data");
    report.unpublished().forEach(product -> write(out, product));
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Usage.Line line) {
    out.writeStartObject();
    out.writeStringProperty("name", line.name());
    if (line.store() != null) {
      out.writeStringProperty("store", line.store());
    }
    write(out, "limit", line.limit());
    write(out, "used", line.used());
    write(out, "remaining", line.remaining());
    write(out, "resetsAt", line.resetsAt());
    out.writeStringProperty("note", line.note());
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Usage.Unpublished product) {
    out.writeStartObject();
    out.writeNumberProperty("pid", product.pid());
    out.writeStringProperty("artNo", product.artNo());
    write(out, "fetchedAt", product.fetchedAt());
    write(out, "result", product.result());
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, String name, @Nullable Object value) {
    switch (value) {
      case null -> out.writeNullProperty(name);
      case Long number -> out.writeNumberProperty(name, number);
      default -> out.writeStringProperty(name, value.toString());
    }
  }
}
