package io.stockroom.server.stock;

import io.stockroom.protocol.ColourGroup;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.SizeItem;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import io.stockroom.server.http.Json;
import io.stockroom.server.http.Problems;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the body of a create request, token by token, and notes every fault with its place. Nothing
 * is expanded here: a hostile range costs no more than its text.
 */
final class CreateParser {
  private final JsonParser parser;
  private final Problems problems;
  private final int mostGroups;
  private final List<Placed> items = new ArrayList<>();

  /** A size item with the place where it stands, its colour and its product. */
  record Placed(String at, int pid, String color, SizeItem item) {}

  private CreateParser(JsonParser parser, Problems problems, int mostGroups) {
    this.parser = parser;
    this.problems = problems;
    this.mostGroups = mostGroups;
  }

  static List<Placed> read(byte[] body, int mostGroups, Problems problems) {
    try (JsonParser parser = Json.parser(body)) {
      CreateParser reader = new CreateParser(parser, problems, mostGroups);
      reader.body();
      return reader.items;
    } catch (JacksonException broken) {
      problems.add(Json.broken(broken));
      return List.of();
    }
  }

  /** A bare array, or an object whose {@code list} is the array: the documents show both. */
  private void body() {
    JsonToken first = parser.nextToken();
    if (first == JsonToken.START_ARRAY) {
      groups("");
    } else if (first == JsonToken.START_OBJECT) {
      boolean found = false;
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean list = parser.currentName().equals("list");
        JsonToken value = parser.nextToken();
        if (list && value == JsonToken.START_ARRAY) {
          groups("list");
        } else if (list) {
          wrongType("list", value, "an array of colour groups");
        }
        found |= list;
        parser.skipChildren();
      }
      if (!found) {
        problems.add("list", ErrorCode.FIELD_MISSING, "list");
      }
    } else if (first == null) {
      problems.add("", ErrorCode.JSON_BROKEN, 1, 1, "the body is empty");
      return;
    } else {
      wrongType("", first, "an array of colour groups");
      parser.skipChildren();
    }
    Json.requireEnd(parser, problems);
  }

  private void groups(String prefix) {
    int count = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      String at = prefix + "[" + count + "]";
      count++;
      if (count > mostGroups) {
        parser.skipChildren();
      } else if (token == JsonToken.START_OBJECT) {
        group(at);
      } else {
        wrongType(at, token, "a colour group {…}");
        parser.skipChildren();
      }
    }
    if (count == 0) {
      problems.add(prefix, ErrorCode.LIST_EMPTY);
    } else if (count > mostGroups) {
      problems.add(prefix, ErrorCode.LIST_TOO_LONG, count, mostGroups);
    }
  }

  private void group(String at) {
    Place place = new Place(at);
    String color = null;
    Integer pid = null;
    List<Placed> sizes = null;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (name) {
        case "color" -> {
          place.seen("color");
          String text = text(at + ".color", value);
          color = text == null ? null : problems.check(at + ".color", () -> Text.colour(text));
        }
        case "pid" -> {
          place.seen("pid");
          pid = number(at + ".pid", value, 1);
        }
        case "param" -> {
          place.seen("param");
          sizes = sizes(at + ".param", value);
        }
        default -> parser.skipChildren();
      }
    }
    place.require("color", "pid", "param");
    if (color != null && pid != null && sizes != null && !sizes.isEmpty()) {
      List<SizeItem> param = sizes.stream().map(Placed::item).toList();
      ColourGroup group = new ColourGroup(color, pid, param);
      for (Placed size : sizes) {
        items.add(new Placed(size.at, group.pid(), group.color(), size.item));
      }
    }
  }

  private @Nullable List<Placed> sizes(String at, JsonToken value) {
    if (value != JsonToken.START_ARRAY) {
      wrongType(at, value, "an array of sizes");
      parser.skipChildren();
      return null;
    }
    List<Placed> sizes = new ArrayList<>();
    int count = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      String place = at + "[" + count + "]";
      count++;
      if (token == JsonToken.START_OBJECT) {
        SizeItem item = size(place);
        if (item != null) {
          sizes.add(new Placed(place, 0, "", item));
        }
      } else {
        wrongType(place, token, "a size {…}");
        parser.skipChildren();
      }
    }
    if (count == 0) {
      problems.add(at, ErrorCode.LIST_EMPTY);
    }
    return sizes;
  }

  private @Nullable SizeItem size(String at) {
    Place place = new Place(at);
    SizeRange size = null;
    Integer stock = null;
    String barCode = null;
    int before = problems.total();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (name) {
        case "size" -> {
          place.seen("size");
          String text = text(at + ".size", value);
          size = text == null ? null : problems.check(at + ".size", () -> SizeRange.parse(text));
        }
        case "stock" -> {
          place.seen("stock");
          stock = number(at + ".stock", value, 0);
        }
        case "barCode" -> barCode = barCode(at + ".barCode", value);
        default -> parser.skipChildren();
      }
    }
    place.require("size", "stock");
    if (size == null || stock == null || problems.total() > before) {
      return null;
    }
    if (barCode != null && size.count() > 1) {
      problems.add(at + ".barCode", ErrorCode.BARCODE_ON_RANGE, barCode, size.count());
      return null;
    }
    return new SizeItem(size, stock, barCode);
  }

  /** Null and the empty text both mean that no barcode is sent. */
  private @Nullable String barCode(String at, JsonToken value) {
    if (value == JsonToken.VALUE_NULL) {
      return null;
    }
    String text = text(at, value);
    return text == null || text.isBlank() ? null : problems.check(at, () -> Text.barCode(text));
  }

  private @Nullable String text(String at, JsonToken value) {
    if (value != JsonToken.VALUE_STRING) {
      wrongType(at, value, "a string");
      parser.skipChildren();
      return null;
    }
    return parser.getString();
  }

  private @Nullable Integer number(String at, JsonToken value, int least) {
    if (value != JsonToken.VALUE_NUMBER_INT) {
      wrongType(at, value, "a whole number");
      parser.skipChildren();
      return null;
    }
    String digits = parser.getString();
    if (digits.length() > 11) {
      problems.add(at, ErrorCode.NUMBER_RANGE, digits, least, Integer.MAX_VALUE);
      return null;
    }
    long number = Long.parseLong(digits);
    if (number < least || number > Integer.MAX_VALUE) {
      problems.add(at, ErrorCode.NUMBER_RANGE, digits, least, Integer.MAX_VALUE);
      return null;
    }
    return (int) number;
  }

  private void wrongType(String at, JsonToken token, String expected) {
    String sent =
        token.isScalarValue() && token != JsonToken.VALUE_NULL
            ? Json.kind(token) + " (" + parser.getString() + ")"
            : Json.kind(token);
    problems.add(at, ErrorCode.FIELD_TYPE, sent, expected);
  }

  /** Remembers which fields of an object were there, and names those that were not. */
  private final class Place {
    private final String at;
    private final List<String> seen = new ArrayList<>(3);

    Place(String at) {
      this.at = at;
    }

    void seen(String name) {
      seen.add(name);
    }

    void require(String... names) {
      for (String name : names) {
        if (!seen.contains(name)) {
          problems.add(at + "." + name, ErrorCode.FIELD_MISSING, name);
        }
      }
    }
  }
}
