package io.stockroom.core.database;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Collects failures, so that what follows one is not skipped. */
final class Failures {
  interface Attempt {
    void run() throws SQLException;
  }

  private @Nullable Exception first;

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
