package io.stockroom.server.people;

import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Lets people in by password. An unknown address and a wrong password get the same answer after the
 * same work.
 */
public final class SignIn {
  /** What an attempt came to. */
  public sealed interface Outcome {
    record Welcome(SignedIn signedIn) implements Outcome {}

    record Wrong() implements Outcome {}

    record TooMany(int waitSeconds) implements Outcome {}
  }

  private record Known(int personId, @Nullable String password, boolean browser) {}

  private final Database database;
  private final Passwords passwords;
  private final SignInThrottle throttle;

  public SignIn(Database database, Passwords passwords, Clock clock, int mostFailures) {
    this.database = database;
    this.passwords = passwords;
    this.throttle = new SignInThrottle(clock, mostFailures);
  }

  public Outcome attempt(String address, String password, Client client) throws SQLException {
    String given = Email.of(address);
    String email = given == null ? "" : given;
    Known known = find(email, client.mark());
    String mark = known != null && known.browser ? client.mark() : null;
    int wait = throttle.charge(email, client.address(), mark);
    if (wait > 0) {
      return new Outcome.TooMany(wait);
    }
    if (!passwords.matches(password, known == null ? null : known.password) || known == null) {
      return new Outcome.Wrong();
    }
    throttle.refund(email, client.address(), mark);
    int personId = known.personId;
    return new Outcome.Welcome(database.write(connection -> begin(connection, personId, client)));
  }

  /** A session, and a browser that is known from now on. */
  static SignedIn begin(Connection connection, int personId, Client client) throws SQLException {
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
    return new SignedIn(Sessions.begin(connection, personId, client), mark);
  }

  private @Nullable Known find(String email, @Nullable String mark) throws SQLException {
    byte[] hash = Opaque.hash(mark == null ? "" : mark);
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select p.person_id, p.password, b.person_id is not null as browser
                  from person p
                  left join known_browser b on b.person_id = p.person_id and b.hash = ?
                  where p.email = ?
                  """)) {
            statement.setBytes(1, hash);
            statement.setString(2, email);
            try (ResultSet row = statement.executeQuery()) {
              return row.next()
                  ? new Known(row.getInt(1), row.getString(2), row.getBoolean(3))
                  : null;
            }
          }
        });
  }
}
