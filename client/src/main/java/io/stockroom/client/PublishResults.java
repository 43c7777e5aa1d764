package io.stockroom.client;

import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Writes publish results. */
final class PublishResults {
  private PublishResults() {}

  static byte[] json(List<PublishResult> results) {
    return Json.write(
        out -> {
          out.writeStartArray();
          results.forEach(result -> write(out, result));
          out.writeEndArray();
        });
  }

  private static void write(JsonGenerator out, PublishResult result) {
    out.writeStartObject();
    out.writeNumberProperty("pid", result.pid());
    out.writeStringProperty("result", result.result().word());
    if (!result.url().isEmpty()) {
      out.writeStringProperty("url", result.url());
    }
    if (!result.message().isEmpty()) {
      out.writeStringProperty("msg", result.message());
    }
    out.writeEndObject();
  }
}
