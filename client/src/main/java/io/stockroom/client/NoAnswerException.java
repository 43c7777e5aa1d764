package io.stockroom.client;

/**
 * No answer came: the address could not be reached, the connection was cut, or the timeout passed.
 * Nobody knows whether the server did the work; {@link StockroomClient#createStock} finds out by
 * sending the very same request again.
 */
public final class NoAnswerException extends StockroomException {
  private static final long serialVersionUID = 1;

  NoAnswerException(String words, Throwable cause) {
    super(words, Origin.NO_ANSWER, cause);
  }
}
