package io.stockroom.lab;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Looks into a database and changes it, past the server. */
public record DirectSql(String url, String user, String password) {
  /** The database is down, or the statement is wrong. */
  public static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Failed(SQLException cause) {
      super(cause);
    }
  }

  /** A database on loopback, as the embedded PostgreSQL is. */
  public static DirectSql local(int port, String user, String password) {
    return new DirectSql(url("127.0.0.1:" + port), user, password);
  }

  /** The JDBC URL for hosts with ports, separated by commas. */
  public static String url(String hosts) {
    return "jdbc:postgresql://" + hosts + "/stockroom?sslmode=disable";
  }

  public Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("connectTimeout", "10");
    properties.setProperty("loginTimeout", "20");
    properties.setProperty("ApplicationName", "lab");
    return DriverManager.getConnection(url, properties);
  }

  public void execute(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        var _ = statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new Failed(e);
    }
  }

  public List<String> column(String sql) {
    List<String> column = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        column.add(String.valueOf(row.getString(1)));
      }
    } catch (SQLException e) {
      throw new Failed(e);
    }
    return column;
  }

  /** The first column of the first row; empty if there is none. */
  public String text(String sql) {
    List<String> column = column(sql);
    return column.isEmpty() ? "" : column.getFirst();
  }

  /** The first column of the first row. */
  public long number(String sql) {
    return Long.parseLong(text(sql));
  }

  public boolean answers() {
    try (Connection connection = connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }
}
