package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.postgresql.core.BaseConnection;

/**
 * A transaction that may take minutes, and that another thread can stop in the middle of a
 * statement. What is not committed when it is closed is undone.
 */
public final class LongTransaction implements AutoCloseable {
  private final Connection connection;
  private final Consumer<AtCommit.Notes> afterCommit;
  private final Runnable onEnd;
  private boolean stoppable = true;

  /** Begins one on a connection, which belongs to it unless this fails. */
  LongTransaction(Connection connection, Consumer<AtCommit.Notes> afterCommit, Runnable onEnd)
      throws SQLException {
    this.connection = connection;
    this.afterCommit = afterCommit;
    this.onEnd = onEnd;
    begin();
  }

  private void begin() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // so that the work of a node that died ends soon, and its locks with it
      statement.execute("set client_connection_check_interval = '2s'");
    } catch (SQLException notOnThatSystem) {
      // PostgreSQL then notices the death at its next answer
    }
    connection.setNetworkTimeout(Runnable::run, 0);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local statement_timeout = 0");
      statement.execute("set local lock_timeout = '60s'");
    }
  }

  public Connection connection() {
    return connection;
  }

  /**
   * Commits. From now on nothing can be stopped: a canceled commit that waits for a standby would
   * report success although no standby has the changes.
   */
  public void commit() throws SQLException {
    endStopping();
    afterCommit.accept(AtCommit.commit(connection));
  }

  /** Stops the statement that is running, if one is; for any thread, at any time. */
  public synchronized void cancelStatement() throws SQLException {
    if (stoppable) {
      connection.unwrap(BaseConnection.class).cancelQuery();
    }
  }

  @Override
  public void close() throws SQLException {
    endStopping();
    var _ = AtCommit.forget(connection);
    try (Connection closing = connection) {
      closing.rollback();
    } finally {
      onEnd.run();
    }
  }

  private synchronized void endStopping() {
    stoppable = false;
  }
}
