package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.Columns;
import io.stockroom.files.imports.read.JsonSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Adds the reason to a rejected line of JSON, as one more field. */
final class RejectedLine {
  private RejectedLine() {}

  /** A line that is not an object is wrapped in one, as text. */
  static String of(String line, String reason) {
    ObjectNode object;
    try {
      JsonNode node = JsonSource.MAPPER.readTree(line);
      object = node.isObject() ? (ObjectNode) node : wrapped(line);
    } catch (JacksonException broken) {
      object = wrapped(line);
    }
    object.put(Columns.REASON, reason);
    return JsonSource.MAPPER.writeValueAsString(object);
  }

  private static ObjectNode wrapped(String line) {
    return JsonSource.MAPPER.createObjectNode().put("line", line);
  }
}
