package io.stockroom.core.database;

import org.jspecify.annotations.Nullable;

/**
 * Something the operator has to change before the server can start. The message is whole sentences
 * that say what is wrong and what to do, fit for a terminal without a stack trace.
 */
public class StartException extends RuntimeException {
  public StartException(String message) {
    super(message);
  }

  public StartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
