package io.stockroom.client;

/** A filter for the product list. */
public enum StockFilter {
  /** All products. */
  ALL(""),
  /** Products with at least one stock entry, whatever its quantity. */
  WITH_STOCK("&stock=true"),
  /** Products without a stock entry. */
  WITHOUT_STOCK("&stock=false");

  private final String form;

  StockFilter(String form) {
    this.form = form;
  }

  String form() {
    return form;
  }
}
