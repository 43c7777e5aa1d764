package io.stockroom.console.stock;

import io.stockroom.core.call.Json;
import io.stockroom.core.stock.CellChange;
import io.stockroom.core.stock.StockGrid;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.Text;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.JsonReader;
import io.stockroom.protocol.request.Problems;
import io.stockroom.protocol.request.RequestContent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses the cells that the grid saves: an array such as {@code
 * {"color":"black","size":36,"quantity":[5,7],"barcode":[null,"690…"]}}, with old and new values. A
 * new quantity of null removes the entry. Reports every problem with the index of its cell.
 */
final class GridSave {
  private static final JsonMapper JSON =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(Json.BOUNDS).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private record Entry(String color, Size size) {}

  private final Problems problems = new Problems();

  private GridSave() {}

  static List<CellChange> read(byte[] body) throws InvalidRequest {
    GridSave reader = new GridSave();
    List<CellChange> changes = reader.changes(body);
    reader.problems.throwIfAny();
    return changes;
  }

  private List<CellChange> changes(byte[] body) {
    if (body.length > RequestContent.MAX_BYTES) {
      problems.add("", ErrorCode.BODY_TOO_LARGE, RequestContent.MAX_BYTES);
      return List.of();
    }
    JsonNode cells;
    try {
      cells = JSON.readTree(body);
    } catch (JacksonException broken) {
      problems.add(JsonReader.problem(broken));
      return List.of();
    }
    if (!cells.isArray() || cells.isEmpty()) {
      problems.add("", ErrorCode.LIST_EMPTY);
      return List.of();
    }
    if (cells.size() > StockGrid.MAX_CELLS) {
      problems.add("", ErrorCode.LIST_TOO_LONG, cells.size(), StockGrid.MAX_CELLS);
      return List.of();
    }
    List<CellChange> changes = new ArrayList<>();
    Set<Entry> seen = new HashSet<>();
    for (int i = 0; i < cells.size(); i++) {
      CellChange change = cell("[" + i + "]", cells.get(i));
      if (change != null && !seen.add(new Entry(change.color(), change.size()))) {
        problems.add("[" + i + "]", ErrorCode.FIELD_REPEATED, "the cell", 2);
      } else if (change != null) {
        changes.add(change);
      }
    }
    return changes;
  }

  private @Nullable CellChange cell(String at, JsonNode cell) {
    String color = problems.check(at + ".color", () -> Text.color(cell.path("color").asString("")));
    Size size = problems.check(at + ".size", () -> Size.of(cell.path("size").asString("")));
    if (!cell.has("quantity") && !cell.has("barcode")) {
      problems.add(at + ".quantity", ErrorCode.FIELD_MISSING, "quantity");
    }
    CellChange.Quantity quantity = quantity(at + ".quantity", cell.path("quantity"));
    CellChange.BarCode barCode = barCode(at + ".barcode", cell.path("barcode"));
    boolean nothing = quantity == null && barCode == null;
    return color == null || size == null || nothing
        ? null
        : new CellChange(color, size, quantity, barCode);
  }

  private CellChange.@Nullable Quantity quantity(String at, JsonNode pair) {
    if (pair.isMissingNode()) {
      return null;
    }
    JsonNode old = pair.path(0);
    Integer from = old.isNull() ? null : whole(at, old, 0, Integer.MAX_VALUE);
    if (from != null && pair.path(1).isNull()) {
      return new CellChange.Quantity(from, null);
    }
    Integer to = whole(at, pair.path(1), 0, Integer.MAX_VALUE);
    return to == null ? null : new CellChange.Quantity(from, to);
  }

  private CellChange.@Nullable BarCode barCode(String at, JsonNode pair) {
    if (pair.isMissingNode()) {
      return null;
    }
    String from = pair.path(0).isString() ? pair.path(0).asString() : null;
    if (!pair.path(1).isString() || pair.path(1).asString().isBlank()) {
      return new CellChange.BarCode(from, null);
    }
    String to = problems.check(at, () -> Text.barCode(pair.path(1).asString()));
    return to == null ? null : new CellChange.BarCode(from, to);
  }

  private @Nullable Integer whole(String at, JsonNode value, int least, int most) {
    boolean fits = value.isIntegralNumber() && value.canConvertToInt();
    if (!fits || value.asInt() < least || value.asInt() > most) {
      String sent = value.isMissingNode() ? "" : value.asString(value.toString());
      problems.add(at, ErrorCode.NUMBER_FORMAT, sent, least, most);
      return null;
    }
    return value.asInt();
  }
}
