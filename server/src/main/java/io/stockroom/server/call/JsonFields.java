package io.stockroom.server.call;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the values of a JSON body token by token, without coercion: where a value is of the wrong
 * kind, it is noted with its place, passed over, and reading goes on, so that one answer can name
 * every fault.
 */
public final class JsonFields {
  private static final Place LIST = Place.BODY.field("list");
  private static final List<String> LIST_NAMES = List.of(LIST.toString());

  private final JsonParser parser;
  private final Problems problems;

  public JsonFields(JsonParser parser, Problems problems) {
    this.parser = parser;
    this.problems = problems;
  }

  /**
   * Reads the whole body as a list: a bare array, or an object whose {@code list} is the array,
   * since the documents of the interface show both. Elements past {@code most} are only counted.
   */
  public void list(String expected, int most, BiConsumer<Place, JsonToken> element) {
    JsonToken first = parser.nextToken();
    if (first == null) {
      problems.add("", ErrorCode.JSON_BROKEN, 1, 1, "the body is empty");
      return;
    }
    if (first == JsonToken.START_ARRAY) {
      array(Place.BODY, most, element);
    } else if (first == JsonToken.START_OBJECT) {
      wrapped(expected, most, element);
    } else {
      wrongType(Place.BODY, first, expected);
    }
    Json.requireEnd(parser, problems);
  }

  private void wrapped(String expected, int most, BiConsumer<Place, JsonToken> element) {
    boolean found = false;
    String misspelled = "";
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      boolean list = name.equals(LIST.toString());
      if (Spelling.misspelled(name, LIST_NAMES).isPresent()) {
        misspelled = name;
      }
      JsonToken value = parser.nextToken();
      found |= list;
      if (list && value == JsonToken.START_ARRAY) {
        array(LIST, most, element);
      } else if (list) {
        wrongType(LIST, value, expected);
      } else {
        parser.skipChildren();
      }
    }
    if (found) {
      return;
    }
    if (misspelled.isEmpty()) {
      problems.add(Place.BODY, ErrorCode.FIELD_TYPE, Json.kind(JsonToken.START_OBJECT), expected);
    } else {
      problems.add(
          Place.BODY.field(misspelled), ErrorCode.FIELD_MISSPELLED, misspelled, LIST.toString());
    }
  }

  /** Reads the array that has just begun; {@code element} must read its element to the end. */
  public void array(Place at, int most, BiConsumer<Place, JsonToken> element) {
    int count = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (count < most) {
        element.accept(at.element(count), token);
      } else {
        parser.skipChildren();
      }
      count++;
    }
    if (count == 0) {
      problems.add(at, ErrorCode.LIST_EMPTY);
    } else if (count > most) {
      problems.add(at, ErrorCode.LIST_TOO_LONG, count, most);
    }
  }

  public boolean isObject(Place at, JsonToken token, String expected) {
    if (token == JsonToken.START_OBJECT) {
      return true;
    }
    wrongType(at, token, expected);
    return false;
  }

  public @Nullable String text(Place at, JsonToken value) {
    if (value == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    wrongType(at, value, "a string");
    return null;
  }

  /** A text, or a whole number as it is written. */
  public @Nullable String textOrNumber(Place at, JsonToken value) {
    if (value == JsonToken.VALUE_STRING || value == JsonToken.VALUE_NUMBER_INT) {
      return parser.getString();
    }
    wrongType(at, value, "a string or a whole number");
    return null;
  }

  /** A whole number from {@code least} to the largest int. */
  public @Nullable Integer number(Place at, JsonToken value, int least) {
    if (value != JsonToken.VALUE_NUMBER_INT) {
      wrongType(at, value, "a whole number");
      return null;
    }
    String digits = parser.getString();
    long number = digits.length() > 11 ? Long.MAX_VALUE : Long.parseLong(digits);
    if (number < least || number > Integer.MAX_VALUE) {
      problems.add(at, ErrorCode.NUMBER_RANGE, digits, least, Integer.MAX_VALUE);
      return null;
    }
    return (int) number;
  }

  /** Notes what stands here instead of what should, and passes over it. */
  public void wrongType(Place at, JsonToken token, String expected) {
    String sent =
        token.isScalarValue() && token != JsonToken.VALUE_NULL
            ? Json.kind(token) + " (" + parser.getString() + ")"
            : Json.kind(token);
    problems.add(at, ErrorCode.FIELD_TYPE, sent, expected);
    parser.skipChildren();
  }

  /** Notes the fields of the object at {@code at}, to name those that are missing. */
  public Seen seen(Place at) {
    return new Seen(at);
  }

  /** Remembers which fields of an object were there, and names those that were not. */
  public final class Seen {
    private final Place at;
    private final List<String> names = new ArrayList<>(4);

    private Seen(Place at) {
      this.at = at;
    }

    public String note(String name) {
      names.add(name);
      return name;
    }

    /**
     * Passes over a field that is not one of {@code known}. One that misspells a known field is a
     * fault: its sender means something by it.
     */
    public void skipUnknown(String name, List<String> known) {
      Spelling.misspelled(name, known)
          .ifPresent(
              meant -> {
                problems.add(at.field(name), ErrorCode.FIELD_MISSPELLED, name, meant);
                // it is there, in a way: that it is missing need not be said too
                names.add(meant);
              });
      parser.skipChildren();
    }

    public void require(String... required) {
      for (String name : required) {
        if (!names.contains(name)) {
          problems.add(at.field(name), ErrorCode.FIELD_MISSING, name);
        }
      }
    }
  }
}
