package io.stockroom.server.admin;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import io.stockroom.server.http.Problems;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One request of the operator: the parts of its address, and its JSON body where it has one. */
final class AdminRequest {
  private static final int MOST_BYTES = 64 * 1024;
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final HttpServletRequest request;
  private final Map<String, String> parts;
  private final Problems problems = new Problems();

  AdminRequest(HttpServletRequest request, Map<String, String> parts) {
    this.request = request;
    this.parts = parts;
  }

  Problems problems() {
    return problems;
  }

  /** The part of the address that the route names {@code {name}}, as a positive number. */
  int id(String name) {
    return io.stockroom.server.http.Parameters.positive(
        name, parts.getOrDefault(name, ""), problems);
  }

  @Nullable String query(String name) {
    String value = request.getParameter(name);
    return value == null ? null : storable(name, value);
  }

  InputStream stream() throws IOException {
    return request.getInputStream();
  }

  /** The body as a JSON object; notes a problem and gives an empty one where it is not one. */
  JsonNode body() throws IOException {
    byte[] bytes = request.getInputStream().readNBytes(MOST_BYTES + 1);
    if (bytes.length > MOST_BYTES) {
      problems.add("", ErrorCode.BODY_TOO_LARGE, MOST_BYTES);
      return MAPPER.createObjectNode();
    }
    try {
      JsonNode node = MAPPER.readTree(bytes);
      if (node.isObject()) {
        return node;
      }
      problems.add("", ErrorCode.FIELD_TYPE, node.getNodeType(), "a JSON object");
    } catch (JacksonException broken) {
      problems.add(io.stockroom.server.http.Json.broken(broken));
    }
    return MAPPER.createObjectNode();
  }

  /** A text field; where it is required and missing, or no text, a problem is noted. */
  @Nullable String text(JsonNode body, String name, boolean required) {
    JsonNode value = body.get(name);
    if (value == null || value.isNull()) {
      if (required) {
        problems.add(name, ErrorCode.FIELD_MISSING, name);
      }
      return null;
    }
    if (!value.isString()) {
      problems.add(name, ErrorCode.FIELD_TYPE, value.getNodeType(), "a string");
      return null;
    }
    return storable(name, value.stringValue());
  }

  /** PostgreSQL keeps neither NUL nor half a surrogate pair, and would fail on it. */
  private @Nullable String storable(String name, String text) {
    return problems.check(name, () -> Text.block(text, MOST_BYTES));
  }
}
