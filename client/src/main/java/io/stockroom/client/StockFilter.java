package io.stockroom.client;

/** Which products a list shows. */
public enum StockFilter {
  /** All products. */
  ALL(""),
  /** Products that have at least one stock entry, whatever its quantity. */
  WITH_STOCK("&stock=true"),
  /** Products that have no stock entry yet. */
  WITHOUT_STOCK("&stock=false");

  private final String form;

  StockFilter(String form) {
    this.form = form;
  }

  String form() {
    return form;
  }
}
