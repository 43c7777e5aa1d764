package io.stockroom.core.http;

import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.net.SocketTimeoutException;

/** Why a body could not be read. */
public final class BodyFailure {
  private BodyFailure() {}

  /** The body arrived too slowly, or ended early. */
  public static ErrorCode code(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return ErrorCode.BODY_TIMEOUT;
      }
    }
    return ErrorCode.BODY_INCOMPLETE;
  }
}
