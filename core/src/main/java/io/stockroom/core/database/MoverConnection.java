package io.stockroom.core.database;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.postgresql.PGConnection;

/** A connection outside the pools, for the owner of the tables, whose statements may take long. */
public final class MoverConnection {
  private MoverConnection() {}

  /**
   * Connects.
   *
   * @param name what PostgreSQL lists the connection as
   */
  public static Connection open(DatabaseAddress owner, String name) throws SQLException {
    Properties login = login(owner, name);
    login.setProperty("options", "-c jit=off -c statement_timeout=60s -c lock_timeout=5s");
    return DriverManager.getConnection(owner.jdbcUrl(), login);
  }

  /** Adds a row to a table of one text column, by {@code COPY}. */
  public static void copyIn(Connection connection, String table, String text) throws SQLException {
    String row = text.replace("\\", "\\\\") + "\n";
    try {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("copy " + table + " from stdin", new StringReader(row));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static Properties login(DatabaseAddress owner, String name) {
    Properties login = owner.login();
    login.setProperty("connectTimeout", "5");
    login.setProperty("loginTimeout", "5");
    login.setProperty("socketTimeout", "120");
    login.setProperty("tcpKeepAlive", "true");
    login.setProperty("ApplicationName", name);
    return login;
  }
}
