package io.stockroom.protocol.check;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** Parses a whole JSON text into maps, lists, strings, numbers and booleans. */
final class JsonTree {
  /** Represents JSON {@code null}. */
  static final Object NULL = new Object();

  private static final Pattern STEP = Pattern.compile("\\[([0-9]+)]|([^.\\[\\]]+)");

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(100)
                  .maxStringLength(Capture.MAX_CHARACTERS)
                  .maxNumberLength(40)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private JsonTree() {}

  /**
   * Reads a text, which may begin with a byte order mark.
   *
   * @throws JacksonException if it is not JSON
   */
  static Object read(String text) {
    String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), content)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new StreamReadException(parser, "Trailing token");
      }
      return value;
    }
  }

  private static Object value(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new StreamReadException(parser, "No content");
    }
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_NUMBER_INT -> new BigInteger(parser.getString());
      case VALUE_NUMBER_FLOAT -> Double.valueOf(parser.getString());
      case VALUE_TRUE, VALUE_FALSE -> token == JsonToken.VALUE_TRUE;
      case VALUE_NULL -> NULL;
      default -> parser.getString();
    };
  }

  private static Map<String, Object> object(JsonParser parser) {
    Map<String, Object> object = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      object.put(name, value(parser));
    }
    return object;
  }

  private static List<Object> array(JsonParser parser) {
    List<Object> array = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser));
    }
    return array;
  }

  /** The value at a path such as {@code [3].param[0].size}, or null if there is none. */
  static @Nullable Object find(Object root, String path) {
    Object value = root;
    Matcher step = STEP.matcher(path);
    while (step.find()) {
      String index = step.group(1);
      if (index == null && value instanceof Map<?, ?> object) {
        value = object.get(step.group(2));
      } else if (index != null && value instanceof List<?> list) {
        value = Integer.parseInt(index) < list.size() ? list.get(Integer.parseInt(index)) : null;
      } else {
        return null;
      }
    }
    return value;
  }

  /** Writes a value as JSON, without the content of objects and arrays. */
  static String notation(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Map) {
      return "{ … }";
    }
    if (value instanceof List) {
      return "[ … ]";
    }
    if (value instanceof String text) {
      return '"' + text + '"';
    }
    return value.equals(NULL) ? "null" : value.toString();
  }
}
