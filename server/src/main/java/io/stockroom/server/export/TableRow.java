package io.stockroom.server.export;

import org.jspecify.annotations.Nullable;

/**
 * A row of a table of products: one entry, or a colour that has a picture and no entry yet, or a
 * product that has neither. There is one such object, filled anew for each row.
 */
final class TableRow {
  static final byte[] NONE = {};

  private @Nullable ExportedProduct product;
  boolean isFirstOfProduct;
  byte[] colour = NONE;
  byte[] image = NONE;

  /** 0 where the row is no entry; then quantity and barcode mean nothing. */
  int size;

  int quantity;
  byte[] barCodeBytes = NONE;
  int barCodeOffset;
  int barCodeLength;

  void begin(ExportedProduct next) {
    product = next;
    isFirstOfProduct = true;
    colour = NONE;
    image = NONE;
    clearEntry();
  }

  void clearEntry() {
    size = 0;
    barCodeLength = 0;
  }

  ExportedProduct product() {
    if (product == null) {
      throw new IllegalStateException("no product was begun");
    }
    return product;
  }
}
