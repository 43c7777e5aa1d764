package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Vacuums or analyzes tables, however long it takes. */
final class Vacuum {
  private Vacuum() {}

  /** Tables that held fewer rows than were written now, as far as the planner knows. */
  private static final Sql GROWN =
      Sql.of(
          """
          select relname from pg_class
          where oid = any (:tables::text[]::regclass[]) and reltuples < :written
          """);

  static List<String> grown(Connection connection, List<String> tables, long written)
      throws SQLException {
    return GROWN
        .on(connection)
        .set("tables", tables.toArray(String[]::new))
        .set("written", written)
        .list(row -> row.getString("relname"));
  }

  static boolean run(Connection connection, String command) throws SQLException {
    int patience = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, 0);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set statement_timeout = 0");
      try {
        return statement.execute(command);
      } finally {
        statement.execute("reset statement_timeout");
      }
    } finally {
      connection.setNetworkTimeout(Runnable::run, patience);
    }
  }
}
