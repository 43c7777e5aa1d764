package io.stockroom.console.products;

import io.stockroom.core.catalogue.Detail;
import io.stockroom.core.catalogue.StockStatus;
import io.stockroom.protocol.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The stock of a product as a table: a row for each color, a column for each size. */
public record SkuMatrix(List<Size> sizes, List<Row> rows, long total, StockStatus status) {
  /** A color with one cell for each size. */
  public record Row(String color, String picture, List<Cell> cells, long total) {}

  /**
   * The quantity of a color and size.
   *
   * @param quantity null if the color does not come in this size
   * @param lowBelow quantities below this are low
   */
  public record Cell(@Nullable Long quantity, int lowBelow) {
    public boolean isSoldOut() {
      return quantity != null && quantity == 0;
    }

    public boolean isLow() {
      return quantity != null && quantity > 0 && quantity < lowBelow;
    }
  }

  static SkuMatrix of(List<Detail.Sku> skus, int lowBelow) {
    TreeSet<Size> sizes = new TreeSet<>();
    List<Map<Size, Long>> quantities = new ArrayList<>();
    for (Detail.Sku sku : skus) {
      Map<Size, Long> bySize = bySize(sku);
      sizes.addAll(bySize.keySet());
      quantities.add(bySize);
    }
    List<Row> rows = new ArrayList<>();
    long total = 0;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < skus.size(); i++) {
      Map<Size, Long> bySize = quantities.get(i);
      List<Cell> cells = sizes.stream().map(size -> new Cell(bySize.get(size), lowBelow)).toList();
      long sum = bySize.values().stream().mapToLong(Long::longValue).sum();
      rows.add(new Row(skus.get(i).color(), skus.get(i).skuImg(), cells, sum));
      total += sum;
      least = bySize.values().stream().reduce(least, Math::min);
    }
    StockStatus status = StockStatus.of(!rows.isEmpty(), total, least, lowBelow);
    return new SkuMatrix(List.copyOf(sizes), rows, total, status);
  }

  private static Map<Size, Long> bySize(Detail.Sku sku) {
    String[] sizes = sku.size().split(",", -1);
    String[] quantities = sku.stockNum().split(",", -1);
    Map<Size, Long> bySize = new TreeMap<>();
    for (int i = 0; i < sizes.length; i++) {
      bySize.put(Size.of(sizes[i]), Long.valueOf(quantities[i]));
    }
    return bySize;
  }
}
