package io.stockroom.conformance;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** A response, with assertions for rules. */
record Answer(int status, HttpHeaders headers, String body) {
  private static final int SHOWN_CHARACTERS = 600;

  /** Keeps the digits of numbers, because the decimals of a price are part of the contract. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException broken) {
      throw new RuleViolation("expected JSON, got something else");
    }
  }

  JsonNode json() {
    return parse(body);
  }

  JsonNode get(String field) {
    return json().path(field);
  }

  String msg() {
    return get("msg").asString("");
  }

  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  Answer hasStatus(int expected) {
    return require(status == expected, "expected status " + expected + ", got " + status);
  }

  /** Requires status 400, with any body. */
  Answer rejected() {
    return hasStatus(400);
  }

  Answer rejected(String what) {
    return require(status == 400, what + ": expected status 400, got " + status);
  }

  /** Requires status 200 and {@code success} true. */
  Answer succeeds() {
    hasStatus(200);
    return require(get("success").isBoolean() && get("success").asBoolean(), "success is not true");
  }

  /** Requires status 200, {@code success} false and a message. */
  Answer fails() {
    hasStatus(200);
    require(get("success").isBoolean() && !get("success").asBoolean(), "success is not false");
    return require(!msg().isBlank(), "msg does not say why");
  }

  Answer require(boolean holds, String otherwise) {
    if (!holds) {
      throw new RuleViolation(otherwise);
    }
    return this;
  }

  /** The elements of {@code data}. */
  List<JsonNode> data() {
    JsonNode data = get("data");
    require(data.isArray(), "data is not an array");
    return data.valueStream().toList();
  }

  /** The field names of an object in their order. */
  static List<String> names(JsonNode object) {
    return object.propertyStream().map(property -> property.getKey()).toList();
  }

  /** The values of one field in all elements of {@code errors}. */
  List<String> errors(String field) {
    return get("errors").valueStream().map(error -> error.path(field).asString("")).toList();
  }

  /** The raw response, with a long body clipped. */
  String shown() {
    String lines =
        headers.map().entrySet().stream()
            .map(header -> header.getKey() + ": " + String.join(", ", header.getValue()))
            .filter(line -> !line.toLowerCase(Locale.ROOT).startsWith("connection"))
            .collect(Collectors.joining("\n"));
    return status + "\n" + lines + cut(body.length(), body);
  }

  static String cut(int length, String body) {
    if (body.isEmpty()) {
      return "";
    }
    return body.length() <= SHOWN_CHARACTERS
        ? "\n\n" + body
        : "\n\n%s… (%d in total)".formatted(body.substring(0, SHOWN_CHARACTERS), length);
  }
}
