package io.stockroom.client;

import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.SizeJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes adjustments. */
final class Adjustments {
  private Adjustments() {}

  static byte[] json(List<Adjustment> adjustments) {
    return Json.write(
        out -> {
          out.writeStartArray();
          adjustments.forEach(adjustment -> write(out, adjustment));
          out.writeEndArray();
        });
  }

  private static void write(JsonGenerator out, Adjustment adjustment) {
    Adjustment.Target target = adjustment.target();
    out.writeStartObject();
    number(out, "pid", target.pid());
    text(out, "artNo", target.artNo());
    text(out, "barCode", target.barCode());
    text(out, "color", target.color());
    Size size = target.size();
    if (size != null) {
      out.writeName("size");
      SizeJson.write(out, size);
    }
    number(out, "change", adjustment.change());
    number(out, "set", adjustment.set());
    number(out, "expect", adjustment.expect());
    out.writeEndObject();
  }

  private static void number(JsonGenerator out, String name, @Nullable Integer value) {
    if (value != null) {
      out.writeNumberProperty(name, value);
    }
  }

  private static void text(JsonGenerator out, String name, @Nullable String value) {
    if (value != null) {
      out.writeStringProperty(name, value);
    }
  }
}
