package io.stockroom.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The limits that a command line sets and unsets, and their table. */
final class LimitChanges {
  private static final String PREFIX = "limits.";

  private final Map<String, @Nullable String> values = new LinkedHashMap<>();

  /** Parses {@code --set NAME=VALUE} and {@code --unset NAME}; each name may occur once. */
  LimitChanges(List<String> set, List<String> unset) {
    for (String assignment : set) {
      int equals = assignment.indexOf('=');
      String value = assignment.substring(equals + 1).strip();
      if (equals < 1 || value.isEmpty()) {
        throw CommandException.usage(
            "--set '%s' is not NAME=VALUE, such as detail-per-day=500. --unset NAME removes a limit."
                .formatted(assignment));
      }
      put(assignment.substring(0, equals), value);
    }
    for (String name : unset) {
      if (name.isBlank() || name.contains("=")) {
        throw CommandException.usage(
            "--unset '%s' is not the name of a limit, such as detail-per-day.".formatted(name));
      }
      put(name, null);
    }
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  ObjectNode json() {
    ObjectNode json = Json.object();
    values.forEach(json::put);
    return json;
  }

  static void show(JsonNode limits, Output output) {
    Table table = new Table("LIMIT", "VALUE", "SOURCE", "MEANING");
    for (JsonNode limit : limits) {
      // a server of an older version sends no text
      table.row(limit, "name", limit.has("text") ? "text" : "value", "source", "meaning");
    }
    output.table(table);
  }

  private void put(String name, @Nullable String value) {
    String trimmed = name.strip();
    String whole = trimmed.startsWith(PREFIX) ? trimmed : PREFIX + trimmed;
    if (values.containsKey(whole)) {
      throw CommandException.usage("'%s' is given twice; pass it once.".formatted(whole));
    }
    values.put(whole, value);
  }
}
