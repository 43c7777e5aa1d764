package io.stockroom.client;

/**
 * The calling thread was interrupted while it waited. Its interrupt flag is set again; whether the
 * server did the work is unknown.
 */
public final class CallInterruptedException extends StockroomException {
  private static final long serialVersionUID = 1;

  CallInterruptedException(String words, InterruptedException cause) {
    super(words, Origin.NO_ANSWER, cause);
  }
}
