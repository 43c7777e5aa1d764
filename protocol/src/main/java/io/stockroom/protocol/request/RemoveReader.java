package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.Text;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the body of {@code /Stock/Remove}; names of entries have the rules of an adjustment. */
public final class RemoveReader {
  public static final int MAX_ELEMENTS = 300;

  /** The fields of an element. */
  public static final List<String> FIELDS = List.of("pid", "artNo", "barCode", "color", "size");

  /**
   * One element: an entry, a color with all sizes, a size in all colors, or the entry with a
   * barcode.
   *
   * @param at its location in the request
   * @param product null if it names a barcode
   * @param color null: every color
   * @param size null: every size
   * @param barCode null if it names a product
   */
  public record Removal(
      JsonPath at,
      @Nullable NamedProduct product,
      @Nullable String color,
      @Nullable Size size,
      @Nullable String barCode) {}

  private final JsonReader json;
  private final Problems problems;
  private final List<Removal> removals = new ArrayList<>();

  private RemoveReader(JsonReader json) {
    this.json = json;
    this.problems = json.problems();
  }

  public static List<Removal> read(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.JSON);
    return JsonReader.read(content.body(), json -> new RemoveReader(json).removals());
  }

  private List<Removal> removals() {
    json.list("an array of entries", MAX_ELEMENTS, this::element);
    return removals;
  }

  private void element(JsonPath at) {
    if (!json.isObject(at, "an entry {…}")) {
      return;
    }
    int before = problems.total();
    JsonReader.Fields fields = json.fields(at);
    Integer pid = null;
    String artNo = null;
    String barCode = null;
    String color = null;
    Size size = null;
    for (String name = fields.next(); name != null; name = fields.next()) {
      JsonPath place = at.field(name);
      if (!FIELDS.contains(name)) {
        fields.skipUnknown(name, FIELDS);
      } else if (json.isNull()) {
        fields.ignore(name);
      } else {
        switch (name) {
          case "pid" -> pid = json.number(place, 1);
          case "artNo" -> {
            String text = json.text(place);
            artNo = text == null ? null : problems.check(place, () -> Text.artNo(text));
          }
          case "barCode" -> barCode = CreateReader.barCode(json, place);
          case "color" -> color = CreateReader.color(json, place);
          default -> size = size(place);
        }
      }
    }
    fields.requireOneOf("pid", "artNo", "barCode");
    if (fields.has("barCode")) {
      fields.rejectBoth("barCode", "color");
      fields.rejectBoth("barCode", "size");
    } else if (!fields.has("color") && !fields.has("size")) {
      problems.add(at, ErrorCode.FIELD_MISSING, "color or size");
    }
    if (problems.total() == before) {
      NamedProduct product = pid == null && artNo == null ? null : new NamedProduct(at, pid, artNo);
      removals.add(new Removal(at, product, color, size, barCode));
    }
  }

  private @Nullable Size size(JsonPath at) {
    String text = json.textOrNumber(at);
    return text == null ? null : problems.check(at, () -> Size.of(text));
  }
}
