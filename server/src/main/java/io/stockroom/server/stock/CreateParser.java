package io.stockroom.server.stock;

import io.stockroom.protocol.ColourGroup;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.SizeItem;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import io.stockroom.server.call.Json;
import io.stockroom.server.call.JsonFields;
import io.stockroom.server.call.Place;
import io.stockroom.server.call.Problems;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the body of a create request and notes every fault with its place. Nothing is expanded
 * here: a hostile range costs no more than its text.
 */
final class CreateParser {
  private static final List<String> GROUP = List.of("color", "pid", "param");
  private static final List<String> SIZE = List.of("size", "stock", "barCode");

  private final JsonParser parser;
  private final JsonFields fields;
  private final Problems problems;
  private final List<Placed> items = new ArrayList<>();

  /** A size item with the place where it stands, its colour and its product. */
  record Placed(Place at, int pid, String color, SizeItem item) {}

  private CreateParser(JsonParser parser, Problems problems) {
    this.parser = parser;
    this.fields = new JsonFields(parser, problems);
    this.problems = problems;
  }

  static List<Placed> read(byte[] body, int mostGroups, Problems problems) {
    try (JsonParser parser = Json.parser(body)) {
      CreateParser reader = new CreateParser(parser, problems);
      reader.fields.list("an array of colour groups", mostGroups, reader::group);
      return reader.items;
    } catch (JacksonException broken) {
      problems.add(Json.broken(broken));
      return List.of();
    }
  }

  private void group(Place at, JsonToken token) {
    if (!fields.isObject(at, token, "a colour group {…}")) {
      return;
    }
    JsonFields.Seen seen = fields.seen(at);
    String color = null;
    Integer pid = null;
    List<Placed> sizes = List.of();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = seen.note(parser.currentName());
      JsonToken value = parser.nextToken();
      switch (name) {
        case "color" -> {
          String text = fields.text(at.field("color"), value);
          color = text == null ? null : problems.check(at.field("color"), () -> Text.colour(text));
        }
        case "pid" -> pid = fields.number(at.field("pid"), value, 1);
        case "param" -> sizes = sizes(at.field("param"), value);
        default -> seen.skipUnknown(name, GROUP);
      }
    }
    seen.require("color", "pid", "param");
    if (color != null && pid != null && !sizes.isEmpty()) {
      List<SizeItem> param = sizes.stream().map(Placed::item).toList();
      ColourGroup group = new ColourGroup(color, pid, param);
      for (Placed size : sizes) {
        items.add(new Placed(size.at, group.pid(), group.color(), size.item));
      }
    }
  }

  private List<Placed> sizes(Place at, JsonToken value) {
    if (value != JsonToken.START_ARRAY) {
      fields.wrongType(at, value, "an array of sizes");
      return List.of();
    }
    List<Placed> sizes = new ArrayList<>();
    fields.array(
        at,
        CreateStock.MOST_ENTRIES,
        (place, token) -> {
          if (fields.isObject(place, token, "a size {…}")) {
            SizeItem item = size(place);
            if (item != null) {
              sizes.add(new Placed(place, 0, "", item));
            }
          }
        });
    return sizes;
  }

  private @Nullable SizeItem size(Place at) {
    JsonFields.Seen seen = fields.seen(at);
    SizeRange size = null;
    Integer stock = null;
    String barCode = null;
    int before = problems.total();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = seen.note(parser.currentName());
      JsonToken value = parser.nextToken();
      switch (name) {
        case "size" -> {
          String text = fields.textOrNumber(at.field("size"), value);
          size =
              text == null ? null : problems.check(at.field("size"), () -> SizeRange.parse(text));
        }
        case "stock" -> stock = fields.number(at.field("stock"), value, 0);
        case "barCode" -> barCode = barCode(at.field("barCode"), value);
        default -> seen.skipUnknown(name, SIZE);
      }
    }
    seen.require("size", "stock");
    if (barCode != null && size != null && size.count() > 1) {
      problems.add(at.field("barCode"), ErrorCode.BARCODE_ON_RANGE, barCode, size.count());
    }
    if (size == null || stock == null || problems.total() > before) {
      return null;
    }
    return new SizeItem(size, stock, barCode);
  }

  /** Null and the empty text both mean that no barcode is sent. */
  private @Nullable String barCode(Place at, JsonToken value) {
    if (value == JsonToken.VALUE_NULL) {
      return null;
    }
    String text = fields.text(at, value);
    return text == null || text.isBlank() ? null : problems.check(at, () -> Text.barCode(text));
  }
}
