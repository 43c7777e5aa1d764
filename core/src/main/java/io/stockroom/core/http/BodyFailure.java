package io.stockroom.core.http;

import io.stockroom.protocol.ErrorCode;
import java.io.EOFException;
import java.util.concurrent.TimeoutException;

/** Why a body could not be read. */
public final class BodyFailure {
  private BodyFailure() {}

  /** The body arrived too slowly, or ended early. */
  public static ErrorCode code(Throwable failure) {
    return isCausedBy(TimeoutException.class, failure)
        ? ErrorCode.BODY_TIMEOUT
        : ErrorCode.BODY_INCOMPLETE;
  }

  /** Whether a request failed because its body could not be read. */
  public static boolean isCauseOf(Throwable failure) {
    return isCausedBy(TimeoutException.class, failure) || isCausedBy(EOFException.class, failure);
  }

  private static boolean isCausedBy(Class<? extends Exception> kind, Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !kind.isInstance(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
  }
}
