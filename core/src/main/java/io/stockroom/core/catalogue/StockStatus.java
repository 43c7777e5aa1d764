package io.stockroom.core.catalogue;

import java.util.Arrays;
import java.util.Optional;

/** The stock of a product at a glance. */
public enum StockStatus {
  IN_STOCK("in-stock", "good"),
  /** At least one entry is low or zero, but not all are zero. */
  LOW("low", "warn"),
  /** All entries are zero. */
  SOLD_OUT("sold-out", "bad"),
  NO_STOCK_YET("none-yet", "");

  /** Quantities below this are low, unless the merchant chooses another number. */
  public static final int LOW_BELOW = 5;

  private final String word;
  private final String look;

  StockStatus(String word, String look) {
    this.word = word;
    this.look = look;
  }

  /**
   * Derives the status of a product.
   *
   * @param entries whether the product has any stock entry
   * @param total the sum of all entries
   * @param least the smallest quantity of an entry
   * @param lowBelow quantities below this are low
   */
  public static StockStatus of(boolean entries, long total, long least, int lowBelow) {
    if (!entries) {
      return NO_STOCK_YET;
    }
    if (total == 0) {
      return SOLD_OUT;
    }
    return least < lowBelow ? LOW : IN_STOCK;
  }

  /** The status with this word. */
  public static StockStatus named(String word) {
    return find(word)
        .orElseThrow(() -> new IllegalArgumentException("no such stock status: " + word));
  }

  /** The status with this word, if there is one. */
  public static Optional<StockStatus> find(String word) {
    return Arrays.stream(values()).filter(status -> status.word.equals(word)).findFirst();
  }

  /** The last part of its message key, {@code products.status.WORD}. */
  public String word() {
    return word;
  }

  /** The CSS class of its tag. */
  public String look() {
    return look;
  }
}
