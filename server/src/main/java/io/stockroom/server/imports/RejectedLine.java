package io.stockroom.server.imports;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A line of JSON with the reason why it was rejected as one more field. */
final class RejectedLine {
  private RejectedLine() {}

  /** What is no object cannot have a field: it stands as a text in an object of its own. */
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
