package io.stockroom.client;

import io.stockroom.protocol.ColourGroup;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.SizeItem;
import io.stockroom.protocol.SizeRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** How colour groups are written, and what no request may hold of them. */
final class ColourGroups {
  private record Entry(int pid, String color, int size) {}

  private ColourGroups() {}

  static byte[] json(ColourGroup group) {
    return Json.write(out -> write(out, group));
  }

  /** How many entries (colour and size) a group names. */
  static int entries(ColourGroup group) {
    return group.param().stream().mapToInt(item -> item.size().count()).sum();
  }

  /** Every size item that names an entry which stands earlier already. */
  static List<Problem> repeated(List<ColourGroup> groups) {
    List<Problem> problems = new ArrayList<>();
    Map<Entry, String> places = new HashMap<>();
    for (int g = 0; g < groups.size(); g++) {
      ColourGroup group = groups.get(g);
      for (int i = 0; i < group.param().size(); i++) {
        String at = "[%d].param[%d]".formatted(g, i);
        note(group, group.param().get(i).size(), at, places, problems);
      }
    }
    return problems;
  }

  /** Notes each entry of an item; the item is named once, however many of its sizes repeat. */
  private static void note(
      ColourGroup group,
      SizeRange range,
      String at,
      Map<Entry, String> places,
      List<Problem> problems) {
    boolean named = false;
    for (int size = range.first(); size <= range.last(); size++) {
      String earlier = places.putIfAbsent(new Entry(group.pid(), group.color(), size), at);
      if (earlier != null && !named) {
        named = true;
        problems.add(
            Problem.of(at, ErrorCode.ENTRY_REPEATED, group.pid(), group.color(), size, earlier));
      }
    }
  }

  private static void write(JsonGenerator out, ColourGroup group) {
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
