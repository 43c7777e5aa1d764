package io.stockroom.files.imports.plan;

import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.read.Progress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The transaction of one import. It checks for cancellation before every statement. */
public final class ImportTransaction {
  private final Connection connection;
  private final Progress progress;

  public ImportTransaction(Connection connection, Progress progress) {
    this.connection = connection;
    this.progress = progress;
  }

  public Connection connection() {
    return connection;
  }

  /** Prepares a statement with named parameters. */
  public Sql.Call call(String statement) {
    return call(Sql.of(statement));
  }

  public Sql.Call call(Sql statement) {
    progress.check();
    return statement.on(connection);
  }

  /** Executes statements without parameters: settings, indexes, statistics. */
  public void execute(String statements) throws SQLException {
    progress.check();
    try (Statement statement = connection.createStatement()) {
      statement.execute(statements);
    }
  }

  /** The number that a statement without parameters returns. */
  public long number(String statement) throws SQLException {
    return call(statement).one(row -> row.getLong(1));
  }
}
