package io.stockroom.server.people;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Sign-ins between their two steps, known to every node. */
final class SignInTickets {
  /** Long enough to find the phone. */
  static final Duration LIFE = Duration.ofMinutes(10);

  /**
   * A ticket that still works.
   *
   * @param method how the first step was passed
   */
  record Ticket(Person person, String method) {}

  private SignInTickets() {}

  static String issue(Connection connection, Person person, String method) throws SQLException {
    String ticket = Opaque.fresh();
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into sign_in_ticket (hash, person_id, method, expires_at)
            values (?, ?, ?, now() + ?::interval)
            """)) {
      statement.setBytes(1, Opaque.hash(ticket));
      statement.setInt(2, person.personId());
      statement.setString(3, method);
      statement.setString(4, LIFE.toString());
      statement.executeUpdate();
    }
    return ticket;
  }

  static @Nullable Ticket find(Connection connection, String ticket) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select t.method, %s
            from sign_in_ticket t
            join person p using (person_id)
            left join merchant m on m.merchant_id = p.merchant_id
            where t.hash = ? and t.expires_at > now()
            """
                .formatted(Person.COLUMNS))) {
      statement.setBytes(1, Opaque.hash(ticket));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? new Ticket(Person.read(row), row.getString("method")) : null;
      }
    }
  }

  /** Whoever passed the first step with an old password begins again. */
  static void endAll(Connection connection, int personId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from sign_in_ticket where person_id = ?")) {
      statement.setInt(1, personId);
      statement.executeUpdate();
    }
  }

  /** Uses it up; says whether it still worked. */
  static boolean use(Connection connection, String ticket) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "delete from sign_in_ticket where hash = ? and expires_at > now()")) {
      statement.setBytes(1, Opaque.hash(ticket));
      return statement.executeUpdate() == 1;
    }
  }
}
