package io.stockroom.client;

/** Something went wrong inside the server (500). Tell its operator the {@link #requestId}. */
public final class ServerErrorException extends StockroomException {
  private static final long serialVersionUID = 1;

  ServerErrorException(String words, Origin origin) {
    super(words, origin, null);
  }
}
