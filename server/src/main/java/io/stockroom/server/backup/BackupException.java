package io.stockroom.server.backup;

/** A backup or restore that is not possible; the message addresses the operator. */
public final class BackupException extends RuntimeException {
  BackupException(String message) {
    super(message);
  }

  BackupException(String message, Throwable cause) {
    super(message, cause);
  }
}
