package io.stockroom.files.export;

import java.io.IOException;

/**
 * Writes a catalog in one format. For each product the calls are: begin, each color followed by its
 * entries, end. Texts are UTF-8 from the database to the file, so no text is ever decoded.
 */
interface ProductWriter {
  void begin(ExportedProduct product) throws IOException;

  /**
   * Adds a color of the product.
   *
   * @param image the address of its picture, empty if it has none
   */
  void color(byte[] name, byte[] image) throws IOException;

  /**
   * Adds a stock entry of the last color.
   *
   * @param row holds the barcode, at {@code offset}
   * @param length the length of the barcode in bytes; 0 if there is none
   */
  void entry(byte[] size, int quantity, byte[] row, int offset, int length) throws IOException;

  void end() throws IOException;

  /** Completes the file. */
  void finish() throws IOException;
}
