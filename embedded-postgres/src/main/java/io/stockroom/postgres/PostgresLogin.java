package io.stockroom.postgres;

import io.stockroom.core.database.DatabaseAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** The login of the embedded PostgreSQL. */
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

  // Requires SCRAM: otherwise a program that took the port while PostgreSQL was down could ask for
  // the password in plain text.
  private String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?requireAuth=scram-sha-256";
  }

  /** Logs in once; creates the database if the first start was interrupted. */
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
   * Creates the role of the server's connection pool, or gives it a new password. It reads and
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
      // keep the password out of statement logs
      statement.execute("set log_statement = 'none'");
      statement.execute("alter role %s password '%s'".formatted(role, rolePassword));
    }
  }

  /** Whether a retry may succeed after this failure. */
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

  /** Keeps the password out of messages. */
  @Override
  public String toString() {
    return url();
  }
}
