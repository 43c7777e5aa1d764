package io.stockroom.core.database;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Collects failures, so that what follows one is not skipped. */
public final class Failures {
  interface Attempt {
    void run() throws SQLException;
  }

  private @Nullable Exception first;

  Failures() {}

  void attempt(Attempt attempt) {
    try {
      attempt.run();
    } catch (SQLException | RuntimeException failure) {
      if (first == null) {
        first = failure;
      } else {
        first.addSuppressed(failure);
      }
    }
  }

  /** Why it failed: the pool's own message says only that it has no connection. */
  public static String reason(Exception failure) {
    Throwable cause = failure;
    while (cause instanceof SQLException && cause.getCause() instanceof SQLException deeper) {
      cause = deeper;
    }
    return String.valueOf(cause.getMessage());
  }

  /** Throws the first failure, if there was one. */
  void rethrow() throws SQLException {
    if (first instanceof SQLException failure) {
      throw failure;
    }
    if (first instanceof RuntimeException failure) {
      throw failure;
    }
  }
}
