package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.ProductText;
import io.stockroom.protocol.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the values of a JSON body token by token, without coercion, and collects the problems.
 * Notes a value of the wrong type with its path, skips it and continues, so that one response can
 * list every problem.
 */
public final class JsonReader {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(8)
                  .maxStringLength(RequestContent.MAX_BYTES)
                  .maxNumberLength(1000)
                  .maxNameLength(64)
                  .maxDocumentLength(RequestContent.MAX_BYTES)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private static final JsonPath LIST = JsonPath.BODY.field("list");
  private static final List<String> LIST_NAMES = List.of(LIST.toString());

  /** Fields of the product list that differ from {@code pid} by one letter. */
  private static final Set<String> OTHER_NAMES = Set.of("id", "pic");

  private final JsonParser parser;
  private final Problems problems;

  private JsonReader(JsonParser parser, Problems problems) {
    this.parser = parser;
    this.problems = problems;
  }

  /** Reads UTF-8 only: the parser would also guess UTF-16 and UTF-32, by their zero bytes. */
  public static JsonParser parser(byte[] body) {
    int first = body.length > 0 ? body[0] & 0xff : 0;
    if (body.length > 1 && (first == 0 || body[1] == 0 || first >= 0xfe)) {
      throw new StreamReadException("the body is not UTF-8");
    }
    return FACTORY.createParser(ObjectReadContext.empty(), body);
  }

  /** What a parser rejects, as a problem with line and column. */
  public static Problem problem(JacksonException cause) {
    TokenStreamLocation location = cause.getLocation();
    int line = location == null ? 1 : Math.max(1, location.getLineNr());
    int column = location == null ? 1 : Math.max(1, location.getColumnNr());
    return problem(line, column, JsonReason.of(cause.getOriginalMessage()));
  }

  private static Problem problem(int line, int column, JsonReason reason) {
    return Problem.of("", ErrorCode.JSON_BROKEN, line, column, reason.sentence());
  }

  /** The words for {@code token}, for messages about a wrong type. */
  private static String kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT, END_OBJECT, PROPERTY_NAME -> "an object {…}";
      case START_ARRAY, END_ARRAY -> "an array […]";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT -> "a whole number";
      case VALUE_NUMBER_FLOAT -> "a decimal number";
      case VALUE_TRUE, VALUE_FALSE -> "true or false";
      case VALUE_NULL -> "null";
      case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> "something else";
    };
  }

  /** Returns what {@code content} reads from the body, if it notes no problem. */
  static <T> T read(byte[] body, Function<JsonReader, T> content) throws InvalidRequest {
    return read(body, new Problems(), content);
  }

  /** Like {@link #read(byte[], Function)}, but {@code problems} may already have some. */
  static <T> T read(byte[] body, Problems problems, Function<JsonReader, T> content)
      throws InvalidRequest {
    if (body.length > RequestContent.MAX_BYTES) {
      throw InvalidRequest.of("", ErrorCode.BODY_TOO_LARGE, RequestContent.MAX_BYTES);
    }
    try (JsonParser parser = parser(body)) {
      T value = content.apply(new JsonReader(parser, problems));
      problems.throwIfAny();
      return value;
    } catch (JacksonException broken) {
      problems.add(problem(broken));
      throw problems.invalidRequest();
    }
  }

  Problems problems() {
    return problems;
  }

  /**
   * Reads the whole body as a list: a bare array, or an object whose {@code list} is the array,
   * because the documentation of the interface shows both. Elements past {@code max} are only
   * counted.
   */
  void list(String expected, int max, Consumer<JsonPath> element) {
    JsonToken first = parser.nextToken();
    if (first == null) {
      problems.add(problem(1, 1, JsonReason.EMPTY));
      return;
    }
    if (first == JsonToken.START_ARRAY) {
      array(JsonPath.BODY, expected, max, element);
    } else if (first == JsonToken.START_OBJECT) {
      wrapped(expected, max, element);
    } else {
      wrongType(JsonPath.BODY, expected);
    }
    requireEnd();
  }

  private void wrapped(String expected, int max, Consumer<JsonPath> element) {
    boolean found = false;
    String misspelled = "";
    for (String name = nextField(); name != null; name = nextField()) {
      if (name.equals(LIST.toString())) {
        found = true;
        array(LIST, expected, max, element);
      } else {
        if (Spelling.misspelled(name, LIST_NAMES).isPresent()) {
          misspelled = name;
        }
        skip();
      }
    }
    if (found) {
      return;
    }
    if (misspelled.isEmpty()) {
      String object = kind(JsonToken.START_OBJECT);
      problems.add(JsonPath.BODY, ErrorCode.FIELD_TYPE, object, expected);
    } else {
      problems.add(
          JsonPath.BODY.field(misspelled), ErrorCode.FIELD_MISSPELLED, misspelled, LIST.toString());
    }
  }

  /** Reads an array; {@code element} must consume its element. */
  void array(JsonPath at, String expected, int max, Consumer<JsonPath> element) {
    if (elements(at, expected, max, element) == 0) {
      problems.add(at, ErrorCode.LIST_EMPTY);
    }
  }

  /** Like {@link #array}, but it may be empty; returns whether it is an array. */
  boolean arrayOrEmpty(JsonPath at, String expected, int max, Consumer<JsonPath> element) {
    return elements(at, expected, max, element) >= 0;
  }

  /** Returns how many elements there are; -1 if it is no array. */
  private int elements(JsonPath at, String expected, int max, Consumer<JsonPath> element) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      wrongType(at, expected);
      return -1;
    }
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (count < max) {
        element.accept(at.element(count));
      } else {
        skip();
      }
      count++;
    }
    if (count > max) {
      problems.add(at, ErrorCode.LIST_TOO_LONG, count, max);
    }
    return count;
  }

  /** Reads the whole body as an object; {@code field} reads each field by name. */
  void object(String expected, Consumer<String> field) {
    JsonToken first = parser.nextToken();
    if (first != JsonToken.START_OBJECT) {
      String kind = first == null ? "nothing" : kind(first);
      problems.add(JsonPath.BODY, ErrorCode.FIELD_TYPE, kind, expected);
      return;
    }
    for (String name = nextField(); name != null; name = nextField()) {
      field.accept(name);
    }
    requireEnd();
  }

  private void requireEnd() {
    if (parser.nextToken() != null) {
      var location = parser.currentTokenLocation();
      problems.add(problem(location.getLineNr(), location.getColumnNr(), JsonReason.TRAILING));
    }
  }

  /** Moves to the value of the next field and returns its name, or null at the object's end. */
  @Nullable String nextField() {
    if (parser.nextToken() != JsonToken.PROPERTY_NAME) {
      return null;
    }
    String name = parser.currentName();
    parser.nextToken();
    return name;
  }

  void skip() {
    parser.skipChildren();
  }

  boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  boolean isObject(JsonPath at, String expected) {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      return true;
    }
    wrongType(at, expected);
    return false;
  }

  @Nullable String text(JsonPath at) {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    wrongType(at, "a string");
    return null;
  }

  /** Reads a number as written, or a string that is a plain number. */
  @Nullable String decimal(JsonPath at, String expected) {
    JsonToken token = parser.currentToken();
    boolean isNumber =
        token == JsonToken.VALUE_NUMBER_INT
            || token == JsonToken.VALUE_NUMBER_FLOAT
            || (token == JsonToken.VALUE_STRING && ProductText.isCanonical(parser.getString()));
    if (isNumber) {
      return parser.getString();
    }
    wrongType(at, expected);
    return null;
  }

  /** Reads a string, or a whole number as written. */
  @Nullable String textOrNumber(JsonPath at) {
    if (isTextOrNumber()) {
      return parser.getString();
    }
    wrongType(at, "a string or a whole number");
    return null;
  }

  /** Like {@link #textOrNumber}, for a product id; the message omits the value. */
  @Nullable String id(JsonPath at) {
    if (isTextOrNumber()) {
      return parser.getString();
    }
    problems.add(
        at, ErrorCode.FIELD_TYPE, kind(parser.currentToken()), "a whole number or a string");
    skip();
    return null;
  }

  private boolean isTextOrNumber() {
    JsonToken token = parser.currentToken();
    return token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
  }

  /** A whole number from {@code min} to the largest int. */
  @Nullable Integer number(JsonPath at, int min) {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      wrongType(at, "a whole number");
      return null;
    }
    String digits = parser.getString();
    long number = digits.length() > 11 ? Long.MAX_VALUE : Long.parseLong(digits);
    if (number < min || number > Integer.MAX_VALUE) {
      problems.add(at, ErrorCode.NUMBER_RANGE, digits, min, Integer.MAX_VALUE);
      return null;
    }
    return (int) number;
  }

  /** Notes the type of the current value and the expected one, and skips the value. */
  private void wrongType(JsonPath at, String expected) {
    JsonToken token = parser.currentToken();
    String kind = kind(token);
    String sent =
        token.isScalarValue() && token != JsonToken.VALUE_NULL
            ? kind + " (" + parser.getString() + ")"
            : kind;
    problems.add(at, ErrorCode.FIELD_TYPE, sent, expected);
    skip();
  }

  /** Starts tracking the fields of the object at {@code at}, to report the missing ones. */
  Fields fields(JsonPath at) {
    return new Fields(at);
  }

  /** The field names of one object. */
  final class Fields {
    private final JsonPath at;
    private final List<String> names = new ArrayList<>(4);

    /** Unknown names, with the known ones that they probably mean. */
    private final Map<String, String> misspelled = new LinkedHashMap<>(0);

    private Fields(JsonPath at) {
      this.at = at;
    }

    /** Like {@link JsonReader#nextField}, and remembers the name; at the end, checks spelling. */
    @Nullable String next() {
      String name = nextField();
      if (name == null) {
        misspelled.forEach(this::rejectMisspelled);
      } else {
        names.add(name);
      }
      return name;
    }

    /** Skips a field that is not in {@code known}. */
    void skipUnknown(String name, List<String> known) {
      if (!OTHER_NAMES.contains(name)) {
        Spelling.misspelled(name, known).ifPresent(meant -> misspelled.put(name, meant));
      }
      skip();
    }

    /** Beside the right name, the wrong one is an unknown field like others. */
    private void rejectMisspelled(String name, String meant) {
      if (!has(meant)) {
        problems.add(at.field(name), ErrorCode.FIELD_MISSPELLED, name, meant);
        // the field is present under a wrong name: do not also report it as missing
        names.add(meant);
      }
    }

    boolean has(String name) {
      return names.contains(name);
    }

    /** Treats a field as absent. */
    void ignore(String name) {
      names.remove(name);
    }

    void requireOneOf(String... choice) {
      List<String> sent = Stream.of(choice).filter(this::has).toList();
      if (sent.size() != 1) {
        problems.add(
            at, ErrorCode.FIELD_CHOICE, List.of(choice), sent.isEmpty() ? "none of them" : sent);
      }
    }

    void rejectBoth(String name, String other) {
      if (has(name) && has(other)) {
        List<String> both = List.of(name, other);
        problems.add(at.field(other), ErrorCode.FIELD_CHOICE, both, both);
      }
    }

    void require(String... required) {
      for (String name : required) {
        if (!names.contains(name)) {
          problems.add(at.field(name), ErrorCode.FIELD_MISSING, name);
        }
      }
    }
  }
}
