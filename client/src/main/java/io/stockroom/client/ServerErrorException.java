package io.stockroom.client;

/** An internal server error (500). Tell the operator the {@link #requestId}. */
public final class ServerErrorException extends StockroomException {
  private static final long serialVersionUID = 1;

  ServerErrorException(String words, Origin origin) {
    super(words, origin, null);
  }

  @Override
  public boolean isTemporary() {
    return true;
  }
}
