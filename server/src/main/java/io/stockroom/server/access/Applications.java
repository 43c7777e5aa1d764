package io.stockroom.server.access;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The programs that call the interface, and the life of their secrets. */
public final class Applications {
  private static final String COLUMNS =
      "appid, name, created_at, require_hmac, addresses, case when previous_until > now() then"
          + " previous_until end as previous_until, stopped_at";

  /**
   * One application.
   *
   * @param stoppedAt since when it is stopped: its calls are refused, and it gets no token; null
   *     where it is not
   */
  public record Application(
      String appid,
      String name,
      Instant createdAt,
      boolean requireHmac,
      List<String> addresses,
      @Nullable Instant previousSecretUntil,
      @Nullable Instant stoppedAt) {
    public boolean isStopped() {
      return stoppedAt != null;
    }
  }

  /** An application with a new secret, which is shown this once. */
  public record WithSecret(Application application, String secret) {
    @Override
    public String toString() {
      return "WithSecret[" + application + "]";
    }
  }

  private final Database database;
  private final Credentials credentials;
  private final Audit audit;

  public Applications(Database database, Credentials credentials, Audit audit) {
    this.database = database;
    this.credentials = credentials;
    this.audit = audit;
  }

  public WithSecret create(String name, Actor actor) throws SQLException {
    String appid = credentials.newAppid();
    String secret = credentials.newSecret();
    return database.write(
        connection -> {
          credentials.holdKey(connection);
          Application application;
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "insert into application (appid, name, secret) values (?, ?, ?) returning "
                      + COLUMNS)) {
            statement.setString(1, appid);
            statement.setString(2, name);
            statement.setBytes(3, credentials.seal(secret, appid));
            application = readAll(statement).getFirst();
          }
          audit.add(connection, Audit.SERVER, actor, "application.create", appid, name);
          return new WithSecret(application, secret);
        });
  }

  public List<Application> all() throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select " + COLUMNS + " from application order by application_id")) {
            return readAll(statement);
          }
        });
  }

  public @Nullable Application find(String appid) throws SQLException {
    return database.read(connection -> find(connection, appid));
  }

  /**
   * Gives the application a new secret; the one it had works on until {@code previousUntil}, and
   * any older one no longer. Gives null where there is no such application.
   */
  public @Nullable WithSecret rotate(String appid, Instant previousUntil, Actor actor)
      throws SQLException {
    String secret = credentials.newSecret();
    return database.write(
        connection -> {
          credentials.holdKey(connection);
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update application
                  set previous_secret = secret, previous_until = ?, secret = ?
                  where appid = ?
                  """)) {
            statement.setObject(1, Credentials.time(previousUntil));
            statement.setBytes(2, credentials.seal(secret, appid));
            statement.setString(3, appid);
            statement.executeUpdate();
          }
          Application application = find(connection, appid);
          if (application == null) {
            return null;
          }
          audit.add(
              connection,
              Audit.SERVER,
              actor,
              "application.rotate",
              appid,
              "the former secret works until " + previousUntil);
          return new WithSecret(application, secret);
        });
  }

  /** Ends the former secret of a rotation now; gives null where there is no such application. */
  public @Nullable Application endFormerSecret(String appid, Actor actor) throws SQLException {
    return database.write(
        connection -> {
          int ended;
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update application set previous_until = now()
                  where appid = ? and previous_until > now()
                  """)) {
            statement.setString(1, appid);
            ended = statement.executeUpdate();
          }
          if (ended > 0) {
            audit.add(connection, Audit.SERVER, actor, "application.end-former", appid, "");
          }
          return find(connection, appid);
        });
  }

  /** Changes what is not null; gives null where there is no such application. */
  public @Nullable Application change(
      String appid, @Nullable Boolean requireHmac, @Nullable List<String> addresses, Actor actor)
      throws SQLException {
    return database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update application
                  set require_hmac = coalesce(?, require_hmac), addresses = coalesce(?, addresses)
                  where appid = ?
                  """)) {
            statement.setObject(1, requireHmac);
            statement.setObject(2, addresses == null ? null : addresses.toArray(String[]::new));
            statement.setString(3, appid);
            statement.executeUpdate();
          }
          Application application = find(connection, appid);
          if (application != null) {
            String details =
                "require HMAC: %s, addresses: %s"
                    .formatted(application.requireHmac, application.addresses);
            audit.add(connection, Audit.SERVER, actor, "application.change", appid, details);
          }
          return application;
        });
  }

  /**
   * Stops the application or resumes it; every node knows within a second. Its tokens are kept.
   * Gives null where there is no such application.
   */
  public @Nullable Application setStopped(String appid, boolean stopped, Actor actor)
      throws SQLException {
    return database.write(
        connection -> {
          int changed;
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update application set stopped_at = case when ? then now() end
                  where appid = ? and (stopped_at is not null) <> ?
                  """)) {
            statement.setBoolean(1, stopped);
            statement.setString(2, appid);
            statement.setBoolean(3, stopped);
            changed = statement.executeUpdate();
          }
          if (changed > 0) {
            String action = stopped ? "application.stop" : "application.resume";
            audit.add(connection, Audit.SERVER, actor, action, appid, "");
          }
          return find(connection, appid);
        });
  }

  /** Seals every secret anew with the key that the box seals with now. */
  int reseal(Connection connection, int others, Actor actor) throws SQLException {
    int resealed = others;
    try (PreparedStatement all =
            connection.prepareStatement(
                """
                select application_id, appid, secret, previous_secret from application
                order by application_id for update
                """);
        PreparedStatement update =
            connection.prepareStatement(
                """
                update application set secret = ?, previous_secret = ?
                where application_id = ?
                """);
        ResultSet row = all.executeQuery()) {
      while (row.next()) {
        String appid = row.getString("appid");
        byte[] previous = row.getBytes("previous_secret");
        update.setBytes(1, reseal(row.getBytes("secret"), appid));
        update.setBytes(2, previous == null ? null : reseal(previous, appid));
        update.setInt(3, row.getInt("application_id"));
        update.addBatch();
        resealed++;
      }
      update.executeBatch();
    }
    audit.add(connection, Audit.SERVER, actor, "key.rotate", "secret key", resealed + " resealed");
    return resealed;
  }

  private byte[] reseal(byte[] box, String appid) {
    return credentials.seal(credentials.open(box, appid), appid);
  }

  private static @Nullable Application find(Connection connection, String appid)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select " + COLUMNS + " from application where appid = ?")) {
      statement.setString(1, appid);
      List<Application> found = readAll(statement);
      return found.isEmpty() ? null : found.getFirst();
    }
  }

  private static List<Application> readAll(PreparedStatement statement) throws SQLException {
    List<Application> applications = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        applications.add(
            new Application(
                row.getString("appid"),
                row.getString("name"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getBoolean("require_hmac"),
                Credentials.texts(row, "addresses"),
                Credentials.instant(row, "previous_until"),
                Credentials.instant(row, "stopped_at")));
      }
    }
    return applications;
  }
}
