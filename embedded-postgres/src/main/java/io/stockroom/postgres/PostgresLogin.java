package io.stockroom.postgres;

import io.stockroom.core.database.DatabaseAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** How to log in to the embedded PostgreSQL. */
record PostgresLogin(int port, String password) {
  private static final String DATABASE = "stockroom";
  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String STARTING_OR_STOPPING = "57P03";
  private static final String CONNECTION_PROBLEMS = "08";

  String url() {
    return url(DATABASE);
  }

  DatabaseAddress ownerAddress() {
    return new DatabaseAddress(url(), DatabaseFiles.USER, password);
  }

  // Without the demand for SCRAM, a program that took the port while PostgreSQL was down could ask
  // for the password in clear.
  private String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?requireAuth=scram-sha-256";
  }

  /** Logs in once, making the database where a first start has not come so far. */
  void attempt() throws SQLException {
    try (Connection connection = connect(DATABASE)) {
      connection.getMetaData().getDatabaseMajorVersion();
    } catch (SQLException e) {
      if (!NO_SUCH_DATABASE.equals(e.getSQLState())) {
        throw e;
      }
      try (Connection connection = connect("postgres");
          Statement statement = connection.createStatement()) {
        statement.execute("create database " + DATABASE);
      }
    }
  }

  /**
   * Makes the role that the server's pool logs in as, or gives it a new password. It reads and
   * writes rows; it cannot change tables, run programs or read files.
   */
  void prepareRole(String role, String rolePassword) throws SQLException {
    try (Connection connection = connect(DATABASE);
        Statement statement = connection.createStatement()) {
      try (ResultSet known =
          statement.executeQuery("select 1 from pg_roles where rolname = '" + role + "'")) {
        if (!known.next()) {
          statement.execute(
              "create role %s login nosuperuser nocreatedb nocreaterole noreplication"
                  .formatted(role));
        }
      }
      // no log of statements may show the password
      statement.execute("set log_statement = 'none'");
      statement.execute("alter role %s password '%s'".formatted(role, rolePassword));
    }
  }

  /** Says whether an attempt that failed so may succeed a little later. */
  static boolean mayPass(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.equals(STARTING_OR_STOPPING) || state.startsWith(CONNECTION_PROBLEMS);
  }

  private Connection connect(String database) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", DatabaseFiles.USER);
    properties.setProperty("password", password);
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "30");
    return DriverManager.getConnection(url(database), properties);
  }

  /** Keeps the password out of any message this may end up in. */
  @Override
  public String toString() {
    return url();
  }
}
