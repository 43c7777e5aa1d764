package io.stockroom.core.stock;

import io.stockroom.core.stock.StockEntries.NewEntry;
import io.stockroom.protocol.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The new state of one cell, and the state that the editor saw.
 *
 * @param quantity null keeps the quantity
 * @param barCode null keeps the barcode
 */
public record CellChange(
    String color, Size size, @Nullable Quantity quantity, @Nullable BarCode barCode) {
  /**
   * A new quantity.
   *
   * @param from null if there was no entry
   * @param to null removes the entry, with its barcode
   */
  public record Quantity(@Nullable Integer from, @Nullable Integer to) {}

  /** A new barcode; null stands for none. */
  public record BarCode(@Nullable String from, @Nullable String to) {}

  /** Whether somebody else changed the cell meanwhile, to a different value. */
  boolean conflictsWith(@Nullable Cell present) {
    Integer nowQuantity = present == null ? null : present.quantity();
    String nowBarCode = present == null ? null : present.barCode();
    return (quantity != null && isOther(nowQuantity, quantity.from, quantity.to))
        || (barCode != null && isOther(nowBarCode, barCode.from, barCode.to));
  }

  private static boolean isOther(@Nullable Object now, @Nullable Object from, @Nullable Object to) {
    return !Objects.equals(now, from) && !Objects.equals(now, to);
  }

  boolean isRemoval() {
    return quantity != null && quantity.to == null;
  }

  /** The new entry; one that gets a barcode before any quantity has a quantity of 0. */
  NewEntry entry(int productId, @Nullable Cell present) {
    Integer now = present == null ? null : present.quantity();
    Integer next = quantity != null ? quantity.to : now;
    String code = barCode == null ? null : Objects.requireNonNullElse(barCode.to, "");
    return new NewEntry(productId, color, size, next == null ? 0 : next, code);
  }
}
