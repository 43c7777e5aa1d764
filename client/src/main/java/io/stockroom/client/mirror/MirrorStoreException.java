package io.stockroom.client.mirror;

import org.jspecify.annotations.Nullable;

/**
 * The store of a mirror failed. Nothing is half written, so the mirror can continue as soon as the
 * store works again.
 */
public final class MirrorStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Describes the failure.
   *
   * @param words what failed
   * @param cause why; null if there is no other exception
   */
  public MirrorStoreException(String words, @Nullable Throwable cause) {
    super(words, cause);
  }

  static MirrorStoreException otherCursor(String expected) {
    return new MirrorStoreException(
        "The store is no longer at the cursor "
            + expected
            + ". Another mirror uses it; let only one write to it.",
        null);
  }
}
