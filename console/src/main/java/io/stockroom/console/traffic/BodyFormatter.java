package io.stockroom.console.traffic;

import io.stockroom.core.traffic.RequestLog;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Formats bodies for reading: indented JSON, and forms with one field per line. */
final class BodyFormatter {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private BodyFormatter() {}

  static String request(RequestLog.Whole call) {
    byte[] body = call.body();
    if (body == null || body.length == 0) {
      return "";
    }
    String text = new String(body, StandardCharsets.UTF_8);
    if (call.isBodyCut()) {
      return text;
    }
    return contentType(call).startsWith("application/x-www-form-urlencoded")
        ? form(text)
        : json(text);
  }

  static String answer(RequestLog.Whole call) {
    String text = new String(call.answer(), StandardCharsets.UTF_8);
    return call.isAnswerCut() ? text : json(text);
  }

  private static String contentType(RequestLog.Whole call) {
    return call.headers().stream()
        .filter(header -> header.name().equalsIgnoreCase("content-type"))
        .map(Exchange.Header::value)
        .findFirst()
        .orElse("")
        .toLowerCase(Locale.ROOT);
  }

  private static String form(String text) {
    return Stream.of(text.split("&", -1))
        .map(BodyFormatter::field)
        .collect(Collectors.joining("\n"));
  }

  private static String field(String field) {
    try {
      return URLDecoder.decode(field, StandardCharsets.UTF_8).replaceFirst("=", " = ");
    } catch (IllegalArgumentException broken) {
      return field;
    }
  }

  /** Leaves invalid JSON unchanged. */
  private static String json(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node.isContainer() ? MAPPER.writeValueAsString(node) : text;
    } catch (JacksonException broken) {
      return text;
    }
  }
}
