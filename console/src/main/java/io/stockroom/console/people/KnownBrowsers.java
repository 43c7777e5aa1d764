package io.stockroom.console.people;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The browsers that people have signed in with, each identified by a cookie. */
final class KnownBrowsers {
  private static final Sql FIND =
      Sql.of("select 1 from known_browser where person_id = :personId and hash = :hash");

  private static final Sql REMEMBER =
      Sql.of(
          """
          insert into known_browser (person_id, hash) values (:personId, :hash)
          on conflict (person_id, hash) do update set last_used_at = now()
          """);

  private KnownBrowsers() {}

  /** The cookie value if this person has signed in with this browser before; otherwise null. */
  static @Nullable String mark(Connection connection, int personId, Client client)
      throws SQLException {
    String mark = client.mark();
    boolean known =
        mark != null
            && FIND.on(connection)
                .set("personId", personId)
                .set("hash", TokenHash.of(mark))
                .exists();
    return known ? mark : null;
  }

  /** Remembers the browser and returns the value for its cookie. */
  static String remember(Connection connection, int personId, Client client) throws SQLException {
    String mark = client.mark() == null ? TokenHash.newToken() : client.mark();
    REMEMBER.on(connection).set("personId", personId).set("hash", TokenHash.of(mark)).update();
    return mark;
  }
}
