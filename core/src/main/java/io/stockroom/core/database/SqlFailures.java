package io.stockroom.core.database;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a failure of the database means, by its SQL state. */
public final class SqlFailures {
  /** Too many connections. */
  static final String BUSY = "53300";

  private static final Set<String> LOST_RACES = Set.of("40001", "40P01");
  private static final String LOCK_TIMEOUT = "55P03";

  private SqlFailures() {}

  /** Whether the call may succeed later: a lost connection, a timeout, a full disk, a shutdown. */
  public static boolean isUnavailable(@Nullable Throwable failure) {
    if (!(failure instanceof SQLException cause)) {
      return false;
    }
    String state = cause.getSQLState();
    if (state == null) {
      // a shared read throws a copy for each of its callers
      return cause instanceof SQLTransientException || isUnavailable(cause.getCause());
    }
    return isLostConnection(cause)
        || cause instanceof SQLTransientException
        || LOST_RACES.contains(state)
        || state.startsWith("53")
        || state.startsWith("58")
        || state.equals(LOCK_TIMEOUT)
        || state.equals("57014");
  }

  /** Whether a statement timed out waiting for rows that another transaction has locked. */
  public static boolean isLockTimeout(SQLException failure) {
    return LOCK_TIMEOUT.equals(failure.getSQLState());
  }

  /** Whether the transaction can be repeated: a serialization failure or a deadlock. */
  static boolean isLostRace(SQLException failure) {
    // the pool reports no SQL state when it has no connection left
    String state = failure.getSQLState();
    return state != null && LOST_RACES.contains(state);
  }

  static boolean isLostConnection(SQLException failure) {
    String state = failure.getSQLState();
    return state != null && (state.startsWith("08") || state.startsWith("57P"));
  }
}
