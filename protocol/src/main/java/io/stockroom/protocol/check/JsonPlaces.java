package io.stockroom.protocol.check;

import io.stockroom.protocol.request.JsonPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** The values of a JSON text by their places: {@code [3].param[0].size} holds {@code "36"}. */
record JsonPlaces(Map<String, Value> values) {
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

  /** A string, number, boolean or null as its text; an object or a list without its content. */
  record Value(JsonToken type, String text) {
    boolean is(JsonToken wanted) {
      return type == wanted;
    }

    /** The value as JSON. */
    String notation() {
      return switch (type) {
        case START_OBJECT -> "{ … }";
        case START_ARRAY -> "[ … ]";
        case VALUE_STRING -> '"' + text + '"';
        default -> text;
      };
    }
  }

  /**
   * Reads a text, which may begin with a byte order mark.
   *
   * @throws JacksonException if it is not JSON
   */
  static JsonPlaces read(String text) {
    String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), content)) {
      if (parser.nextToken() == null) {
        throw new StreamReadException(parser, "No content");
      }
      JsonPlaces places = new JsonPlaces(new LinkedHashMap<>());
      places.add(JsonPath.BODY, parser);
      if (parser.nextToken() != null) {
        throw new StreamReadException(parser, "Trailing token");
      }
      return places;
    }
  }

  private void add(JsonPath place, JsonParser parser) {
    JsonToken type = parser.currentToken();
    values.put(place.toString(), new Value(type, type.isStructStart() ? "" : parser.getString()));
    if (type == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        JsonPath field = place.field(parser.currentName());
        parser.nextToken();
        add(field, parser);
      }
    } else if (type == JsonToken.START_ARRAY) {
      for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
        add(place.element(index), parser);
      }
    }
  }

  boolean has(String place) {
    return values.containsKey(place);
  }

  boolean is(JsonToken type, String place) {
    Value value = values.get(place);
    return value != null && value.is(type);
  }

  /** The text at a place; empty if there is none, or null, an object or a list. */
  String text(String place) {
    Value value = values.get(place);
    return value == null || value.is(JsonToken.VALUE_NULL) ? "" : value.text();
  }

  String notation(String place) {
    Value value = values.get(place);
    return value == null ? "" : value.notation();
  }

  /** The names of the fields of the object at a place. */
  List<String> names(String object) {
    String start = object.isEmpty() ? "" : object + ".";
    return values.keySet().stream()
        .filter(place -> place.startsWith(start) && place.length() > start.length())
        .map(place -> place.substring(start.length()))
        .filter(name -> name.matches("[^.\\[]+"))
        .toList();
  }
}
