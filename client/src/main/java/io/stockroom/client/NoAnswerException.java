package io.stockroom.client;

/**
 * No answer came, after all retries that are safe: the address could not be reached, the connection
 * was cut, or the timeout passed. Unless nothing was sent, nobody knows whether the server did the
 * work; {@link StockroomClient#createStock} finds out by sending the very same request again.
 */
public final class NoAnswerException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final boolean unsent;

  /**
   * @param unsent whether no connection came about, so that the server cannot have done anything
   */
  NoAnswerException(String words, Throwable cause, boolean unsent) {
    super(words, Origin.NO_ANSWER, cause);
    this.unsent = unsent;
  }

  boolean isUnsent() {
    return unsent;
  }
}
