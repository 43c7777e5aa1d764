package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of {@code /Stock/Creat}. Expands ranges only to find repeated entries and never
 * past the limit, so a hostile range costs no more than its text.
 */
public final class CreateReader {
  /** The default maximum number of color groups. */
  public static final int DEFAULT_MAX_GROUPS = 300;

  /** The maximum number of entries (color and size) in a request. */
  public static final int MAX_ENTRIES = 10_000;

  private static final List<String> GROUP = List.of("color", "pid", "param");
  private static final List<String> SIZE = List.of("size", "stock", "barCode");

  /**
   * The sizes of a create request that share product, color, quantity and barcode.
   *
   * @param at where they are in the body
   * @param barCode null if none is sent; only for a single size
   */
  public record CreateItem(
      JsonPath at, int pid, String color, SizeRange sizes, int stock, @Nullable String barCode) {
    private CreateItem of(int product, String itsColor) {
      return new CreateItem(at, product, itsColor, sizes, stock, barCode);
    }
  }

  private record Entry(int pid, String color, Size size) {}

  private final JsonReader json;
  private final boolean anySize;
  private final Problems problems;
  private final List<CreateItem> items = new ArrayList<>();

  private CreateReader(JsonReader json, boolean anySize) {
    this.json = json;
    this.anySize = anySize;
    this.problems = json.problems();
  }

  /**
   * Reads a request.
   *
   * @param anySize whether a size may also be one text, as the setting {@code sizes.in-create} says
   */
  public static List<CreateItem> read(RequestContent content, int maxGroups, boolean anySize)
      throws InvalidRequest {
    content.require(RequestContent.JSON);
    return read(content.body(), maxGroups, anySize);
  }

  /** Reads a JSON body. */
  public static List<CreateItem> read(byte[] body, int maxGroups, boolean anySize)
      throws InvalidRequest {
    return JsonReader.read(body, json -> new CreateReader(json, anySize).items(maxGroups));
  }

  private List<CreateItem> items(int maxGroups) {
    json.list("an array of color groups", maxGroups, this::group);
    checkEntries();
    return items;
  }

  private void group(JsonPath at) {
    if (!json.isObject(at, "a color group {…}")) {
      return;
    }
    JsonReader.Fields fields = json.fields(at);
    String color = null;
    Integer pid = null;
    List<CreateItem> sizes = List.of();
    for (String name = fields.next(); name != null; name = fields.next()) {
      switch (name) {
        case "color" -> color = color(json, at.field("color"));
        case "pid" -> pid = json.number(at.field("pid"), 1);
        case "param" -> sizes = sizes(at.field("param"));
        default -> fields.skipUnknown(name, GROUP);
      }
    }
    fields.require("color", "pid", "param");
    if (color != null && pid != null) {
      for (CreateItem size : sizes) {
        items.add(size.of(pid, color));
      }
    }
  }

  static @Nullable String color(JsonReader json, JsonPath at) {
    String text = json.text(at);
    return text == null ? null : json.problems().check(at, () -> Text.color(text));
  }

  private @Nullable SizeRange range(JsonPath at) {
    String text = json.textOrNumber(at);
    return text == null
        ? null
        : problems.check(at, () -> anySize ? SizeRange.parseAny(text) : SizeRange.parse(text));
  }

  /** Null and the empty string both mean no barcode. */
  static @Nullable String barCode(JsonReader json, JsonPath at) {
    if (json.isNull()) {
      return null;
    }
    String text = json.text(at);
    return text == null || text.isBlank()
        ? null
        : json.problems().check(at, () -> Text.barCode(text));
  }

  /** Reads the sizes of a group. Its product and color may follow later. */
  private List<CreateItem> sizes(JsonPath at) {
    List<CreateItem> sizes = new ArrayList<>();
    json.array(
        at,
        "an array of sizes",
        MAX_ENTRIES,
        path -> {
          CreateItem item = json.isObject(path, "a size {…}") ? size(path) : null;
          if (item != null) {
            sizes.add(item);
          }
        });
    return sizes;
  }

  private @Nullable CreateItem size(JsonPath at) {
    JsonReader.Fields fields = json.fields(at);
    SizeRange size = null;
    Integer stock = null;
    String barCode = null;
    int before = problems.total();
    for (String name = fields.next(); name != null; name = fields.next()) {
      switch (name) {
        case "size" -> size = range(at.field("size"));
        case "stock" -> stock = json.number(at.field("stock"), 0);
        case "barCode" -> barCode = barCode(json, at.field("barCode"));
        default -> fields.skipUnknown(name, SIZE);
      }
    }
    fields.require("size", "stock");
    if (barCode != null && size != null && size.count() > 1) {
      problems.add(at.field("barCode"), ErrorCode.BARCODE_ON_RANGE, barCode, size.count());
    }
    if (size == null || stock == null || problems.total() > before) {
      return null;
    }
    return new CreateItem(at, 0, "", size, stock, barCode);
  }

  /** Rejects repeated entries and requests with too many entries. */
  private void checkEntries() {
    Map<Entry, JsonPath> paths = new HashMap<>();
    int count = 0;
    for (CreateItem item : items) {
      SizeRange range = item.sizes();
      count += range.count();
      if (count > MAX_ENTRIES) {
        problems.add(item.at(), ErrorCode.ENTRIES_TOO_MANY, MAX_ENTRIES);
        return;
      }
      boolean isReported = false;
      for (Size size : range.sizes()) {
        JsonPath earlier = paths.putIfAbsent(new Entry(item.pid(), item.color(), size), item.at());
        if (earlier != null && !isReported) {
          isReported = true;
          problems.add(
              item.at(), ErrorCode.ENTRY_REPEATED, item.pid(), item.color(), size, earlier);
        }
      }
    }
  }
}
