package io.stockroom.client;

import java.util.Locale;

/** The kinds of changes that a webhook can receive. */
public enum ChangeKind {
  /** Changes of stock: {@link StockChange}. */
  STOCK,
  /** New products and changes of their fields: {@link ProductChange}. */
  PRODUCT;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
