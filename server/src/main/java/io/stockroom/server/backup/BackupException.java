package io.stockroom.server.backup;

/** A backup or restore that must not be; the message is whole sentences for the operator. */
public final class BackupException extends RuntimeException {
  BackupException(String message) {
    super(message);
  }

  BackupException(String message, Throwable cause) {
    super(message, cause);
  }
}
