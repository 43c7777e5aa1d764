package io.stockroom.client;

import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.SizeItem;
import tools.jackson.core.JsonGenerator;

/** Writes color groups. */
final class ColorGroups {
  private ColorGroups() {}

  static byte[] json(ColorGroup group) {
    return Json.write(out -> write(out, group));
  }

  /** The number of entries (color and size) in a group. */
  static int entries(ColorGroup group) {
    return group.param().stream().mapToInt(item -> item.size().count()).sum();
  }

  private static void write(JsonGenerator out, ColorGroup group) {
    out.writeStartObject();
    out.writeStringProperty("color", group.color());
    out.writeNumberProperty("pid", group.pid());
    out.writeArrayPropertyStart("param");
    for (SizeItem item : group.param()) {
      out.writeStartObject();
      out.writeStringProperty("size", item.size().text());
      out.writeNumberProperty("stock", item.stock());
      String barCode = item.barCode();
      if (barCode != null) {
        out.writeStringProperty("barCode", barCode);
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
