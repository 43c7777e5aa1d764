package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The last statement of a transaction of {@link Database#write}, if its result does not matter. It
 * runs together with the commit, in one round trip.
 */
public final class LastStatement {
  private static final ScopedValue<LastStatement> CURRENT = ScopedValue.newInstance();

  private final Connection connection;
  private Sql.@Nullable Call call;

  private LastStatement(Connection connection) {
    this.connection = connection;
  }

  /** Leaves {@code call} to the commit of the transaction that this thread runs. */
  public static void run(Sql.Call call) {
    LastStatement last = CURRENT.isBound() ? CURRENT.get() : null;
    if (last == null || last.connection != call.connection() || last.call != null) {
      throw new IllegalStateException("not the last statement of a transaction: " + call);
    }
    last.call = call;
  }

  /** Runs the work and commits. */
  static <T extends @Nullable Object> T commit(Connection connection, Database.Work<T> work)
      throws SQLException {
    LastStatement last = new LastStatement(connection);
    T result = ScopedValue.where(CURRENT, last).<T, SQLException>call(() -> work.run(connection));
    if (last.call != null) {
      last.call.updateAndCommit();
    }
    // after the statement it only tells the pool
    connection.commit();
    return result;
  }
}
