package io.stockroom.console.products;

import io.stockroom.core.stock.BulkEdit;
import io.stockroom.protocol.Size;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The first lines of a bulk edit as a table: a row for each product and color, a column for each
 * size.
 *
 * @param more how many rows are not shown
 */
public record BulkPreview(BulkEdit.Plan plan, List<Size> sizes, List<Row> rows, int more) {
  private static final int MAX_ROWS = 100;

  /**
   * A color of a product.
   *
   * @param cells one for each size; null where nothing changes
   */
  public record Row(
      int productId, String artNo, String color, List<BulkEdit.@Nullable Line> cells) {}

  private record Key(int productId, String color) {}

  static BulkPreview of(BulkEdit.Plan plan) {
    Map<Key, Map<Size, BulkEdit.Line>> bySize = new HashMap<>();
    List<BulkEdit.Line> firsts = new ArrayList<>();
    TreeSet<Size> sizes = new TreeSet<>();
    int all = 0;
    for (BulkEdit.Line line : plan.lines()) {
      Key key = new Key(line.productId(), line.color());
      Map<Size, BulkEdit.Line> row = bySize.get(key);
      if (row == null) {
        all++;
        row = new HashMap<>();
        bySize.put(key, row);
        if (all <= MAX_ROWS) {
          firsts.add(line);
        }
      }
      if (all <= MAX_ROWS) {
        sizes.add(line.size());
      }
      row.put(line.size(), line);
    }
    List<Row> rows = new ArrayList<>();
    for (BulkEdit.Line first : firsts) {
      Map<Size, BulkEdit.Line> row =
          bySize.getOrDefault(new Key(first.productId(), first.color()), Map.of());
      List<BulkEdit.@Nullable Line> cells = new ArrayList<>();
      sizes.forEach(size -> cells.add(row.get(size)));
      rows.add(new Row(first.productId(), first.artNo(), first.color(), cells));
    }
    return new BulkPreview(plan, List.copyOf(sizes), rows, Math.max(0, all - MAX_ROWS));
  }
}
