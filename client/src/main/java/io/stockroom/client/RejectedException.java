package io.stockroom.client;

/**
 * The server understood the request and says that it is impossible, such as a barcode that stands
 * on another entry already. Change the data, not the program; nothing was written.
 */
public final class RejectedException extends StockroomException {
  private static final long serialVersionUID = 1;

  RejectedException(String words, Origin origin) {
    super(words, origin, null);
  }
}
