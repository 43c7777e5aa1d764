package io.stockroom.files.export;

import org.jspecify.annotations.Nullable;

/**
 * A row of the exported table: a stock entry, or a color with a picture and no stock, or a product
 * with neither. One object is reused for all rows.
 */
final class TableRow {
  static final byte[] NONE = {};

  private @Nullable ExportedProduct product;
  boolean isFirstOfProduct;
  byte[] color = NONE;
  byte[] image = NONE;

  /** Empty if the row is not a stock entry; then quantity and barcode are meaningless. */
  byte[] size = NONE;

  int quantity;
  byte[] barCodeBytes = NONE;
  int barCodeOffset;
  int barCodeLength;

  void begin(ExportedProduct next) {
    product = next;
    isFirstOfProduct = true;
    color = NONE;
    image = NONE;
    clearEntry();
  }

  void clearEntry() {
    size = NONE;
    barCodeLength = 0;
  }

  ExportedProduct product() {
    if (product == null) {
      throw new IllegalStateException("no product was started");
    }
    return product;
  }
}
