package io.stockroom.client;

/**
 * The changes after the cursor are no longer kept ({@code changes.days} on the server). Take a
 * {@link StockroomClient#snapshot snapshot} and continue with its cursor; a {@link
 * io.stockroom.client.mirror.StockMirror} does this for you.
 */
public final class CursorExpiredException extends StockroomException {
  private static final long serialVersionUID = 1;

  CursorExpiredException(String words, Origin origin) {
    super(words, origin, null);
  }
}
