package io.stockroom.client;

/**
 * The server understood the request but cannot carry it out, for example because another entry
 * already has the barcode. The server wrote nothing. Correct the data, not the program.
 */
public final class RejectedException extends StockroomException {
  private static final long serialVersionUID = 1;

  RejectedException(String words, Origin origin) {
    super(words, origin, null);
  }
}
