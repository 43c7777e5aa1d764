package io.stockroom.core.catalogue;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which of a merchant's products are wanted; empty or null means any.
 *
 * @param text words that the item number, title, colors or barcodes contain
 * @param category a category path, as products have it
 * @param color a part of the name of a color
 * @param changedSince only products that were changed at this time or later
 */
public record ProductFilter(
    String text,
    @Nullable StockStatus status,
    String category,
    String color,
    @Nullable BigDecimal minPrice,
    @Nullable BigDecimal maxPrice,
    @Nullable Instant changedSince) {
  public static final ProductFilter ALL = new ProductFilter("", null, "", "", null, null, null);

  public static ProductFilter search(String text) {
    return new ProductFilter(text, null, "", "", null, null, null);
  }

  /** Whether it accepts every product. */
  public boolean isEmpty() {
    return equals(ALL);
  }
}
