package io.stockroom.client;

/**
 * The calling thread was interrupted while it waited. The SDK restores the interrupt flag. It is
 * unknown whether the server did the work.
 */
public final class CallInterruptedException extends StockroomException {
  private static final long serialVersionUID = 1;

  CallInterruptedException(String words, InterruptedException cause) {
    super(words, Origin.NO_ANSWER, cause);
  }
}
