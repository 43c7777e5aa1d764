package io.stockroom.pictures;

import java.io.IOException;

/** The store of the pictures does not answer, or too many pictures are read at the moment. */
public final class StoreUnavailable extends IOException {
  private static final long serialVersionUID = 1;

  StoreUnavailable(String message, Throwable cause) {
    super(message, cause);
  }

  StoreUnavailable(String message) {
    super(message);
  }
}
