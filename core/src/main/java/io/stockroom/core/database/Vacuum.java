package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Vacuums and analyzes tables, however long it takes. */
final class Vacuum {
  private Vacuum() {}

  static boolean run(Connection connection, String tables) throws SQLException {
    int patience = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, 0);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set statement_timeout = 0");
      try {
        return statement.execute("vacuum (analyze) " + tables);
      } finally {
        statement.execute("reset statement_timeout");
      }
    } finally {
      connection.setNetworkTimeout(Runnable::run, patience);
    }
  }
}
