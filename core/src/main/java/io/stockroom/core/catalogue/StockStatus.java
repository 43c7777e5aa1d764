package io.stockroom.core.catalogue;

/** What a merchant needs to know of a product's stock at a glance. */
public enum StockStatus {
  IN_STOCK("in-stock", "good"),
  /** Some entry is low or at zero, and another is not at zero. */
  LOW("low", "warn"),
  /** There are entries, and all of them are at zero. */
  SOLD_OUT("sold-out", "bad"),
  NO_STOCK_YET("none-yet", "");

  /** Quantities below this are low. The stock grid marks its cells by the same number. */
  public static final int LOW_BELOW = 5;

  private final String word;
  private final String look;

  StockStatus(String word, String look) {
    this.word = word;
    this.look = look;
  }

  /**
   * The status of a product.
   *
   * @param entries whether there is any stock entry
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

  /** Ends the key {@code products.status.WORD} of its text. */
  public String word() {
    return word;
  }

  /** The class of its tag. */
  public String look() {
    return look;
  }
}
