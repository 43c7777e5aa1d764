package io.stockroom.server.export;

import java.io.IOException;

/**
 * Takes a catalogue in its order and writes it in one format. Each product is begun, gets its
 * colours, each followed by its entries, and is ended. Texts are UTF-8, as the database sends them
 * and as the file wants them, so that no text is ever decoded.
 */
interface ProductWriter {
  void begin(ExportedProduct product) throws IOException;

  /**
   * A colour of the product.
   *
   * @param image the address of its picture, empty where it has none
   */
  void colour(byte[] name, byte[] image) throws IOException;

  /**
   * An entry of the last colour.
   *
   * @param row where its barcode stands, at {@code offset}
   * @param length of the barcode in bytes; 0 where there is none
   */
  void entry(int size, int quantity, byte[] row, int offset, int length) throws IOException;

  void end() throws IOException;

  /** Writes what belongs at the end of the file. Without it the file is not whole. */
  void finish() throws IOException;
}
