package io.stockroom.files.export;

import java.io.IOException;

/**
 * Turns products into table rows. Product fields are only in the first row of a product, and a
 * color picture only in the first row of the color, so that there is one cell to edit.
 */
final class TableWriter implements ProductWriter {
  /** A file format for tables. */
  interface Format {
    void row(TableRow row) throws IOException;

    void finish() throws IOException;
  }

  private final Format format;
  private final TableRow row = new TableRow();
  private boolean isColorWaiting;

  TableWriter(Format format) {
    this.format = format;
  }

  @Override
  public void begin(ExportedProduct product) {
    row.begin(product);
    isColorWaiting = false;
  }

  @Override
  public void color(byte[] name, byte[] image) throws IOException {
    writeWaitingColor();
    row.color = name;
    row.image = image;
    isColorWaiting = true;
  }

  @Override
  public void entry(byte[] size, int quantity, byte[] bytes, int offset, int length)
      throws IOException {
    row.size = size;
    row.quantity = quantity;
    row.barCodeBytes = bytes;
    row.barCodeOffset = offset;
    row.barCodeLength = length;
    write();
  }

  @Override
  public void end() throws IOException {
    writeWaitingColor();
    if (row.isFirstOfProduct) {
      write();
    }
  }

  @Override
  public void finish() throws IOException {
    format.finish();
  }

  private void writeWaitingColor() throws IOException {
    if (isColorWaiting) {
      row.clearEntry();
      write();
    }
  }

  private void write() throws IOException {
    format.row(row);
    row.isFirstOfProduct = false;
    row.image = TableRow.NONE;
    isColorWaiting = false;
  }
}
