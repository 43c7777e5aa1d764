package io.stockroom.files.export;

import io.stockroom.core.database.TableCopy;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;

/** Reads products and stock entries side by side, both ordered by product, and writes them. */
final class CatalogueReader {
  private static final int PRODUCT_COLUMNS = 13;
  private static final int ENTRY_COLUMNS = 6;
  private static final byte[] NONE = {};

  private final TableCopy.RowStream products;
  private final TableCopy.RowStream entries;
  private final ProductWriter writer;
  private final BinaryRow productRow = new BinaryRow();
  private final BinaryRow entry = new BinaryRow();
  private boolean hasEntry;
  private int entryProductId;

  CatalogueReader(TableCopy.RowStream products, TableCopy.RowStream entries, ProductWriter writer) {
    this.products = products;
    this.entries = entries;
    this.writer = writer;
  }

  void run() throws SQLException, IOException {
    nextEntry();
    for (byte[] row = products.next(); row != null; row = products.next()) {
      if (productRow.turnTo(row, PRODUCT_COLUMNS)) {
        write(ExportedProduct.read(productRow));
      }
    }
    if (hasEntry) {
      throw new IllegalStateException("entries of unknown product %d".formatted(entryProductId));
    }
    writer.finish();
  }

  private void write(ExportedProduct product) throws SQLException, IOException {
    writer.begin(product);
    boolean[] shown = new boolean[product.imageColors().length];
    int colorNo = -1;
    while (hasEntry && entryProductId == product.productId()) {
      int no = entry.int2();
      byte[] size = entry.text();
      int quantity = entry.int4();
      int barCodeLength = entry.skip();
      int barCodeAt = entry.at() - barCodeLength;
      if (no != colorNo) {
        colorNo = no;
        byte[] color = entry.text();
        writer.color(color, image(product, color, shown));
      }
      writer.entry(size, quantity, entry.bytes(), barCodeAt, barCodeLength);
      nextEntry();
    }
    // a color may have a picture before it has stock
    for (int i = 0; i < shown.length; i++) {
      if (!shown[i]) {
        byte[] color = product.imageColors()[i];
        writer.color(color, image(product, color, shown));
      }
    }
    writer.end();
  }

  /** The picture of a color: the first one, as in the product detail. */
  private static byte[] image(ExportedProduct product, byte[] color, boolean[] shown) {
    byte[] image = NONE;
    for (int i = shown.length - 1; i >= 0; i--) {
      if (Arrays.equals(product.imageColors()[i], color)) {
        shown[i] = true;
        image = product.imageUrls()[i];
      }
    }
    return image;
  }

  private void nextEntry() throws SQLException {
    byte[] row = entries.next();
    if (row != null && !entry.turnTo(row, ENTRY_COLUMNS)) {
      // the end marker after the last row; the end of the copy follows
      row = entries.next();
    }
    hasEntry = row != null;
    if (hasEntry) {
      entryProductId = entry.int4();
    }
  }
}
