package io.stockroom.client;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Writes and parses JSON within limits and without reflection. */
final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(16).maxNumberLength(40).build())
          .build();

  private Json() {}

  static byte[] write(Consumer<JsonGenerator> content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      content.accept(out);
    }
    return bytes.toByteArray();
  }

  /** Parses the object of a response. */
  static Fields object(byte[] body) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedResponse("it is not a JSON object");
      }
      Fields fields = fields(parser);
      if (parser.nextToken() != null) {
        throw new MalformedResponse("there is more text after the end of the JSON object");
      }
      return fields;
    } catch (JacksonException broken) {
      throw new MalformedResponse("it is not JSON");
    }
  }

  private static Fields fields(JsonParser parser) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      values.put(name, value(parser));
    }
    return new Fields(values);
  }

  private static List<@Nullable Object> elements(JsonParser parser) {
    List<@Nullable Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }

  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> fields(parser);
      case START_ARRAY -> elements(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw new MalformedResponse("it is not JSON");
    };
  }

  private static Object whole(JsonParser parser) {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? parser.getDecimalValue()
        : (Object) parser.getLongValue();
  }
}
