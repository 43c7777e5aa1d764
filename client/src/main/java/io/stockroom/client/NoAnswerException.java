package io.stockroom.client;

/**
 * No response, after all safe retries: the server was unreachable, the connection failed, or the
 * timeout passed. Unless nothing was sent, it is unknown whether the server did the work; {@link
 * StockroomClient#createStock} finds out by resending the identical request.
 */
public final class NoAnswerException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final boolean unsent;

  /**
   * @param unsent whether there was no connection, so that the server cannot have done anything
   */
  NoAnswerException(String words, Throwable cause, boolean unsent) {
    super(words, Origin.NO_ANSWER, cause);
    this.unsent = unsent;
  }

  boolean isUnsent() {
    return unsent;
  }

  @Override
  public boolean isTemporary() {
    return true;
  }
}
