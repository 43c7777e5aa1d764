package io.stockroom.server.admin;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Json;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.http.BodyFailure;
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

/** A request to the admin API: path variables, query and JSON body. */
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

  /** The language of the response. */
  Language language() {
    return language;
  }

  Actor actor() {
    return actor;
  }

  /** The value of the path variable {@code {name}}. */
  String part(String name) {
    return parts.getOrDefault(name, "");
  }

  Problems problems() {
    return problems;
  }

  /** The response to a request that has problems. */
  Rejection rejection() {
    return Rejection.of(problems);
  }

  /** The path variable {@code {name}} as a positive number. */
  int id(String name) {
    return problems.positive(name, part(name));
  }

  @Nullable String query(String name) {
    List<String> values = queries(name);
    return values.isEmpty() ? null : values.getFirst();
  }

  /** A boolean query parameter, or {@code standard} if it is missing. */
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
   * All values of a query parameter. Does not use {@code getParameter}, which parses the body as a
   * form if the request has no content type.
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

  /** The Content-Length; -1 if unknown. */
  long length() {
    return request.getContentLengthLong();
  }

  InputStream stream() throws IOException {
    return request.getInputStream();
  }

  /** Like {@link #body}, but the body may be missing. */
  JsonNode optionalBody() {
    return request.getContentLengthLong() == 0 ? MAPPER.createObjectNode() : body();
  }

  /** The body as a JSON object; if it is not one, reports a problem and returns an empty object. */
  JsonNode body() {
    byte[] bytes;
    try {
      bytes = request.getInputStream().readNBytes(MAX_BYTES + 1);
    } catch (IOException unread) {
      problems.add("", BodyFailure.code(unread));
      return MAPPER.createObjectNode();
    }
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

  /** A string field; reports a problem if it is not a string, or is required and missing. */
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

  /** PostgreSQL can store neither NUL nor unpaired surrogates. */
  private @Nullable String storable(String name, String text) {
    return problems.check(name, () -> Text.block(text, MAX_BYTES));
  }

  /** The text if it can be stored; otherwise reports a problem and returns an empty string. */
  String kept(String name, String text) {
    return Objects.requireNonNullElse(storable(name, text), "");
  }

  /** Any JSON value as text for a message. */
  static String plain(JsonNode value) {
    return value.isString() ? value.stringValue() : value.toString();
  }

  /** A required name of at most 100 characters; otherwise reports a problem and returns null. */
  @Nullable String name(JsonNode body, String field) {
    String text = text(body, field, true);
    return text == null
        ? null
        : problems.check(field, () -> Text.name(text, Merchants.NAME_CHARACTERS));
  }
}
