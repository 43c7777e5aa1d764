package io.stockroom.server.backup;

/** A backup or restore that must not be; the message is whole sentences for the operator. */
public final class BackupRefused extends RuntimeException {
  BackupRefused(String message) {
    super(message);
  }

  BackupRefused(String message, Throwable cause) {
    super(message, cause);
  }
}
