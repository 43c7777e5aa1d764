package io.stockroom.server.admin;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Json;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Text;
import io.stockroom.protocol.request.JsonReader;
import io.stockroom.protocol.request.Problems;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One request of the operator: the parts of its address, and its JSON body where it has one. */
final class AdminRequest {
  private static final int MAX_BYTES = 64 * 1024;
  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(Json.BOUNDS).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final HttpServletRequest request;
  private final Map<String, String> parts;
  private final Actor actor;
  private final Language language;
  private final Problems problems = new Problems();

  AdminRequest(
      HttpServletRequest request, Map<String, String> parts, Actor actor, Language language) {
    this.request = request;
    this.parts = parts;
    this.actor = actor;
    this.language = language;
  }

  /** In which the answer is read. */
  Language language() {
    return language;
  }

  Actor actor() {
    return actor;
  }

  /** The part of the address that the route names {@code {name}}. */
  String part(String name) {
    return parts.getOrDefault(name, "");
  }

  Problems problems() {
    return problems;
  }

  /** The answer to a request that has problems. */
  Rejection rejection() {
    return Rejection.of(problems);
  }

  /** The part of the address that the route names {@code {name}}, as a positive number. */
  int id(String name) {
    return problems.positive(name, part(name));
  }

  @Nullable String query(String name) {
    List<String> values = queries(name);
    return values.isEmpty() ? null : values.getFirst();
  }

  /** The flag of a name in the query string, {@code standard} where it is not given. */
  boolean flag(String name, boolean standard) {
    String text = query(name);
    if (text == null || text.isEmpty()) {
      return standard;
    }
    if (!text.equals("true") && !text.equals("false")) {
      problems.add(name, ErrorCode.BOOLEAN_FORMAT, text);
    }
    return text.equals("true");
  }

  /**
   * All values of a name in the query string. Not {@code getParameter}, which would read a body for
   * a form where its sender set no content type.
   */
  List<String> queries(String name) {
    String query = request.getQueryString();
    List<String> values = new ArrayList<>();
    for (String field : query == null ? new String[0] : query.split("&", -1)) {
      int equals = field.indexOf('=');
      String decoded = decoded(equals < 0 ? field : field.substring(0, equals));
      if (name.equals(decoded)) {
        values.add(equals < 0 ? "" : kept(name, decoded(field.substring(equals + 1))));
      }
    }
    return values;
  }

  private String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException broken) {
      problems.add("", ErrorCode.FORM_BROKEN, text);
      return "";
    }
  }

  /** How many bytes the body is said to have; -1 where that is not said. */
  long length() {
    return request.getContentLengthLong();
  }

  InputStream stream() throws IOException {
    return request.getInputStream();
  }

  /** As {@link #body}, but a body may be missing altogether. */
  JsonNode optionalBody() throws IOException {
    return request.getContentLengthLong() == 0 ? MAPPER.createObjectNode() : body();
  }

  /** The body as a JSON object; notes a problem and gives an empty one where it is not one. */
  JsonNode body() throws IOException {
    byte[] bytes = request.getInputStream().readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      problems.add("", ErrorCode.BODY_TOO_LARGE, MAX_BYTES);
      return MAPPER.createObjectNode();
    }
    try {
      JsonNode node = MAPPER.readTree(bytes);
      if (node.isObject()) {
        return node;
      }
      problems.add("", ErrorCode.FIELD_TYPE, node.getNodeType(), "a JSON object");
    } catch (JacksonException broken) {
      problems.add(JsonReader.problem(broken));
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
    return problems.check(name, () -> Text.block(text, MAX_BYTES));
  }

  /** The text where it can be stored; else, after noting why not, an empty one. */
  String kept(String name, String text) {
    return Objects.requireNonNullElse(storable(name, text), "");
  }

  /** What was sent, of whatever kind, as a text that a message can show. */
  static String plain(JsonNode value) {
    return value.isString() ? value.stringValue() : value.toString();
  }

  /** A required name of at most 100 characters; null after noting why there is none. */
  @Nullable String name(JsonNode body, String field) {
    String text = text(body, field, true);
    return text == null
        ? null
        : problems.check(field, () -> Text.name(text, Merchants.NAME_CHARACTERS));
  }
}
