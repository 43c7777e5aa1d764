package io.stockroom.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Sizes of one color with their quantity, an element of {@code param}.
 *
 * @param size the sizes; each one gets the whole quantity
 * @param stock the quantity, 0 or more
 * @param barCode the barcode, or null to keep the entry's barcode; only for a single size
 */
public record SizeItem(SizeRange size, int stock, @Nullable String barCode) {
  public SizeItem {
    if (stock < 0) {
      throw new InvalidValue(ErrorCode.NUMBER_RANGE, stock, 0, Integer.MAX_VALUE);
    }
    if (barCode != null) {
      barCode = Text.barCode(barCode);
      if (size.count() > 1) {
        throw new InvalidValue(ErrorCode.BARCODE_ON_RANGE, barCode, size.count());
      }
    }
  }

  /**
   * Sizes such as {@code 36} or {@code 36-40}, without a barcode. The server takes another single
   * size, such as {@code XL}, only if its setting {@code sizes.in-create} is {@code any}.
   */
  public static SizeItem of(String size, int stock) {
    return new SizeItem(SizeRange.parseAny(size), stock, null);
  }

  /** A single size with its barcode. */
  public static SizeItem of(String size, int stock, String barCode) {
    return new SizeItem(SizeRange.parseAny(size), stock, barCode);
  }
}
