package io.stockroom.core.catalogue;

/** The stock of a product at a glance. */
public enum StockStatus {
  IN_STOCK("in-stock", "good"),
  /** At least one entry is low or zero, but not all are zero. */
  LOW("low", "warn"),
  /** All entries are zero. */
  SOLD_OUT("sold-out", "bad"),
  NO_STOCK_YET("none-yet", "");

  /** Quantities below this are low, here and in the stock grid. */
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
   */
  public static StockStatus of(boolean entries, long total, long least) {
    if (!entries) {
      return NO_STOCK_YET;
    }
    if (total == 0) {
      return SOLD_OUT;
    }
    return least < LOW_BELOW ? LOW : IN_STOCK;
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
