package io.stockroom.server.imports;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The statements of one import, each with a look at whether it is still wanted. */
final class Sql {
  /** Reads one row. */
  interface Reading<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final Progress progress;

  Sql(Connection connection, Progress progress) {
    this.connection = connection;
    this.progress = progress;
  }

  /** Runs one statement and says how many rows it touched. */
  int run(String sql, Object... values) throws SQLException {
    progress.check();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.execute() ? 0 : Math.max(0, statement.getUpdateCount());
    }
  }

  /** Runs statements without values, such as settings. */
  void runAll(String sql) throws SQLException {
    progress.check();
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The single number that a statement gives. */
  long number(String sql, Object... values) throws SQLException {
    List<Long> numbers = list(row -> row.getLong(1), sql, values);
    return numbers.isEmpty() ? 0 : numbers.getFirst();
  }

  boolean exists(String sql, Object... values) throws SQLException {
    return number("select exists (" + sql + ")::int", values) > 0;
  }

  <T> List<T> list(Reading<T> reading, String sql, Object... values) throws SQLException {
    progress.check();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      List<T> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(reading.read(row));
        }
      }
      return rows;
    }
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }
}
