package io.stockroom.server.people;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The browsers that people have signed in with, each known by a mark in a cookie. */
final class KnownBrowsers {
  private KnownBrowsers() {}

  /** The mark of a browser that this person has signed in with before; otherwise null. */
  static @Nullable String mark(Connection connection, int personId, Client client)
      throws SQLException {
    String mark = client.mark();
    if (mark == null) {
      return null;
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select 1 from known_browser where person_id = ? and hash = ?")) {
      statement.setInt(1, personId);
      statement.setBytes(2, Opaque.hash(mark));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? mark : null;
      }
    }
  }

  /** Remembers the browser; gives the mark for its cookie. */
  static String remember(Connection connection, int personId, Client client) throws SQLException {
    String mark = client.mark() == null ? Opaque.fresh() : client.mark();
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into known_browser (person_id, hash) values (?, ?)
            on conflict (person_id, hash) do update set last_used_at = now()
            """)) {
      statement.setInt(1, personId);
      statement.setBytes(2, Opaque.hash(mark));
      statement.executeUpdate();
    }
    return mark;
  }
}
