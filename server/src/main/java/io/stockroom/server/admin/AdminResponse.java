package io.stockroom.server.admin;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Json;
import io.stockroom.protocol.Language;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** A JSON response of the admin API, built from maps, lists, strings and numbers. */
record AdminResponse(int status, Map<String, @Nullable Object> fields) implements Answer {

  static AdminResponse ok(Map<String, @Nullable Object> fields) {
    return new AdminResponse(200, fields);
  }

  static AdminResponse created(Map<String, @Nullable Object> fields) {
    return new AdminResponse(201, fields);
  }

  /** A map that keeps the order of its fields and permits null values. */
  static Map<String, @Nullable Object> fields(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return fields;
  }

  @Override
  public void write(JsonGenerator out, Language language) {
    Json.write(out, fields);
  }
}
