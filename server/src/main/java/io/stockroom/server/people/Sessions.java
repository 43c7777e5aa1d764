package io.stockroom.server.people;

import io.stockroom.server.database.Database;
import io.stockroom.server.settings.Span;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is signed in, known to every node. A session ends by itself when it is idle or old. */
public final class Sessions {
  private static final int BROWSER_CHARACTERS = 200;

  /** One browser that a person is signed in with. */
  public record Session(
      Instant createdAt, Instant lastUsedAt, String address, String browser, boolean current) {}

  private final Database database;
  private final Span idle;
  private final Span longest;

  public Sessions(Database database, Span idle, Span longest) {
    this.database = database;
    this.idle = idle;
    this.longest = longest;
  }

  /** Who the session belongs to; null where it is unknown or over. Notes that it is in use. */
  public @Nullable Person find(String id) throws SQLException {
    byte[] hash = Opaque.hash(id);
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  with live as (
                    select hash, person_id, last_used_at from session
                    where hash = ? and last_used_at > now() - ?::interval
                      and created_at > now() - ?::interval
                  ), used as (
                    update session s set last_used_at = now() from live
                    where s.hash = live.hash and live.last_used_at < now() - interval '30 seconds'
                  )
                  select %s
                  from live
                  join person p using (person_id)
                  left join merchant m on m.merchant_id = p.merchant_id
                  """
                      .formatted(Person.COLUMNS))) {
            statement.setBytes(1, hash);
            statement.setString(2, idle.toString());
            statement.setString(3, longest.toString());
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Person.read(row) : null;
            }
          }
        });
  }

  /** A new session within the caller's transaction; gives the id for the cookie. */
  static String begin(Connection connection, int personId, Client client) throws SQLException {
    String id = Opaque.fresh();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into session (hash, person_id, address, browser) values (?, ?, ?, ?)")) {
      statement.setBytes(1, Opaque.hash(id));
      statement.setInt(2, personId);
      statement.setString(3, client.address());
      String browser = client.browser();
      statement.setString(4, browser.substring(0, Math.min(browser.length(), BROWSER_CHARACTERS)));
      statement.executeUpdate();
    }
    return id;
  }

  public void end(String id) throws SQLException {
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement("delete from session where hash = ?")) {
            statement.setBytes(1, Opaque.hash(id));
            return statement.executeUpdate();
          }
        });
  }

  /** Signs a person out everywhere. */
  public void endAll(int personId) throws SQLException {
    database.write(connection -> endAll(connection, personId));
  }

  static int endAll(Connection connection, int personId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from session where person_id = ?")) {
      statement.setInt(1, personId);
      return statement.executeUpdate();
    }
  }

  /** Signs a person out everywhere but here. */
  static void endOthers(Connection connection, int personId, String current) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from session where person_id = ? and hash <> ?")) {
      statement.setInt(1, personId);
      statement.setBytes(2, Opaque.hash(current));
      statement.executeUpdate();
    }
  }

  /** Where a person is signed in, last used first. */
  public List<Session> of(int personId, String current) throws SQLException {
    byte[] own = Opaque.hash(current);
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select created_at, last_used_at, address, browser, hash = ? as current
                  from session
                  where person_id = ? and last_used_at > now() - ?::interval
                    and created_at > now() - ?::interval
                  order by current desc, last_used_at desc
                  limit 50
                  """)) {
            statement.setBytes(1, own);
            statement.setInt(2, personId);
            statement.setString(3, idle.toString());
            statement.setString(4, longest.toString());
            List<Session> sessions = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                sessions.add(
                    new Session(
                        row.getObject("created_at", OffsetDateTime.class).toInstant(),
                        row.getObject("last_used_at", OffsetDateTime.class).toInstant(),
                        row.getString("address"),
                        row.getString("browser"),
                        row.getBoolean("current")));
              }
            }
            return sessions;
          }
        });
  }

  /** What every form of the session carries; only a page of ours could have read it. */
  public static String formToken(String id) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Opaque.hash("form " + id));
  }

  /** Clears away what is over: sessions, links and browsers that were not used for a year. */
  public void forgetOld() throws SQLException {
    database.write(
        connection -> {
          try (PreparedStatement sessions =
                  connection.prepareStatement(
                      """
                      delete from session
                      where last_used_at < now() - ?::interval or created_at < now() - ?::interval
                      """);
              PreparedStatement others =
                  connection.prepareStatement(
                      """
                      with links as (delete from person_link where expires_at < now()),
                        tickets as (delete from sign_in_ticket where expires_at < now())
                      delete from known_browser where last_used_at < now() - interval '1 year'
                      """)) {
            sessions.setString(1, idle.toString());
            sessions.setString(2, longest.toString());
            return sessions.executeUpdate() + others.executeUpdate();
          }
        });
  }
}
