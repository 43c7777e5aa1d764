package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.Text;
import io.stockroom.protocol.request.EntryAddress.ByArtNo;
import io.stockroom.protocol.request.EntryAddress.ByBarCode;
import io.stockroom.protocol.request.EntryAddress.ByPid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the body of {@code /Stock/Adjust}; names of entries have the rules of a create. */
public final class AdjustReader {
  public static final int MAX_ELEMENTS = 300;

  /** The same in both directions. */
  public static final int MAX_CHANGE = Integer.MAX_VALUE;

  private static final List<String> FIELDS =
      List.of("pid", "artNo", "color", "size", "barCode", "change", "set", "expect");

  private final JsonReader json;
  private final Problems problems;
  private final List<Adjustment> adjustments = new ArrayList<>();

  private AdjustReader(JsonReader json) {
    this.json = json;
    this.problems = json.problems();
  }

  public static List<Adjustment> read(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.JSON);
    return read(content.body());
  }

  /** Reads a JSON body. */
  public static List<Adjustment> read(byte[] body) throws InvalidRequest {
    return JsonReader.read(body, json -> new AdjustReader(json).adjustments());
  }

  private List<Adjustment> adjustments() {
    json.list("an array of adjustments", MAX_ELEMENTS, this::element);
    checkEntries();
    return adjustments;
  }

  private void element(JsonPath at) {
    if (!json.isObject(at, "an adjustment {…}")) {
      return;
    }
    int before = problems.total();
    JsonReader.Fields fields = json.fields(at);
    Integer pid = null;
    String artNo = null;
    String color = null;
    Size size = null;
    String barCode = null;
    Integer change = null;
    Integer set = null;
    Integer expect = null;
    for (String name = fields.next(); name != null; name = fields.next()) {
      switch (name) {
        case "pid" -> pid = json.number(at.field("pid"), 1);
        case "artNo" -> artNo = artNo(at.field("artNo"));
        case "color" -> color = CreateReader.color(json, at.field("color"));
        case "size" -> size = size(at.field("size"));
        case "barCode" -> {
          int soFar = problems.total();
          barCode = CreateReader.barCode(json, at.field("barCode"));
          if (barCode == null && problems.total() == soFar) {
            fields.ignore("barCode");
          }
        }
        case "change" -> change = change(at.field("change"));
        case "set" -> set = json.number(at.field("set"), 0);
        case "expect" -> expect = json.number(at.field("expect"), 0);
        default -> fields.skipUnknown(name, FIELDS);
      }
    }
    fields.requireOneOf("pid", "artNo", "barCode");
    fields.requireOneOf("change", "set");
    if (fields.has("barCode")) {
      fields.rejectBoth("barCode", "color");
      fields.rejectBoth("barCode", "size");
    } else {
      fields.require("color", "size");
    }
    EntryAddress address = address(pid, artNo, color, size, barCode);
    Integer amount = change != null ? change : set;
    if (address != null && amount != null && problems.total() == before) {
      adjustments.add(new Adjustment(at, address, change != null, amount, expect));
    }
  }

  private static @Nullable EntryAddress address(
      @Nullable Integer pid,
      @Nullable String artNo,
      @Nullable String color,
      @Nullable Size size,
      @Nullable String barCode) {
    if (barCode != null) {
      return new ByBarCode(barCode);
    }
    if (color == null || size == null) {
      return null;
    }
    if (pid != null) {
      return new ByPid(pid, color, size);
    }
    return artNo == null ? null : new ByArtNo(artNo, color, size);
  }

  private @Nullable String artNo(JsonPath at) {
    String text = json.text(at);
    return text == null ? null : problems.check(at, () -> Text.artNo(text));
  }

  private @Nullable Size size(JsonPath at) {
    String text = json.textOrNumber(at);
    return text == null ? null : problems.check(at, () -> Size.of(text));
  }

  private @Nullable Integer change(JsonPath at) {
    Integer change = json.number(at, -MAX_CHANGE);
    if (change != null && change == 0) {
      problems.add(at, ErrorCode.CHANGE_ZERO);
    }
    return change;
  }

  /** Rejects an entry that occurs twice. The server also finds one that has two kinds of names. */
  private void checkEntries() {
    Map<EntryAddress, JsonPath> paths = new HashMap<>();
    for (Adjustment adjustment : adjustments) {
      JsonPath at = adjustment.at();
      JsonPath earlier = paths.putIfAbsent(adjustment.entry(), at);
      if (earlier != null) {
        if (adjustment.entry() instanceof ByPid named) {
          repeated(at, named.pid(), named.color(), named.size(), earlier);
        } else if (adjustment.entry() instanceof ByArtNo named) {
          repeated(at, named.artNo(), named.color(), named.size(), earlier);
        } else if (adjustment.entry() instanceof ByBarCode named) {
          problems.add(at.field("barCode"), ErrorCode.BARCODE_REPEATED, named.barCode(), earlier);
        }
      }
    }
  }

  private void repeated(JsonPath at, Object product, String color, Size size, JsonPath earlier) {
    problems.add(at, ErrorCode.ENTRY_REPEATED, product, color, size, earlier);
  }
}
