package io.stockroom.server.access;

import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The programs that call the interface. */
public final class Applications {
  public record Application(String appid, String name, Instant createdAt) {}

  /** A new application; its secret is shown this once. */
  public record Created(Application application, String secret) {
    @Override
    public String toString() {
      return "Created[" + application + "]";
    }
  }

  private final Database database;
  private final Credentials credentials;

  public Applications(Database database, Credentials credentials) {
    this.database = database;
    this.credentials = credentials;
  }

  public Created create(String name) throws SQLException {
    String appid = credentials.newAppid();
    String secret = credentials.newSecret();
    return database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  insert into application (appid, name, secret) values (?, ?, ?)
                  returning appid, name, created_at
                  """)) {
            statement.setString(1, appid);
            statement.setString(2, name);
            statement.setBytes(3, credentials.seal(secret, appid));
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              return new Created(application(row), secret);
            }
          }
        });
  }

  public List<Application> all() throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
                  connection.prepareStatement(
                      "select appid, name, created_at from application order by application_id");
              ResultSet rows = statement.executeQuery()) {
            List<Application> applications = new ArrayList<>();
            while (rows.next()) {
              applications.add(application(rows));
            }
            return applications;
          }
        });
  }

  private static Application application(ResultSet row) throws SQLException {
    return new Application(
        row.getString("appid"),
        row.getString("name"),
        row.getObject("created_at", OffsetDateTime.class).toInstant());
  }
}
