package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

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

  /** Follows what is written to the tables of a publication. */
  public static ReplicationStream follow(DatabaseAddress owner, String name, String publication)
      throws SQLException {
    Properties login = login(owner, name);
    login.setProperty("replication", "database");
    login.setProperty("assumeMinServerVersion", "15");
    login.setProperty("preferQueryMode", "simple");
    return new ReplicationStream(DriverManager.getConnection(owner.jdbcUrl(), login), publication);
  }

  private static Properties login(DatabaseAddress owner, String name) {
    Properties login = new Properties();
    login.setProperty("user", owner.user());
    login.setProperty("password", owner.password());
    login.setProperty("connectTimeout", "5");
    login.setProperty("loginTimeout", "5");
    login.setProperty("socketTimeout", "120");
    login.setProperty("tcpKeepAlive", "true");
    login.setProperty("ApplicationName", name);
    return login;
  }
}
