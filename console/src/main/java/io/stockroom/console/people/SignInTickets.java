package io.stockroom.console.people;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Half-done sign-ins: the first step is passed, the code is missing. Shared by all nodes. */
final class SignInTickets {
  /** Enough time to find the phone. */
  static final Duration LIFE = Duration.ofMinutes(10);

  private static final Sql ISSUE =
      Sql.of(
          """
          insert into sign_in_ticket (hash, person_id, method, expires_at)
          values (:hash, :personId, :method, now() + :life::interval)
          """);

  private static final Sql FIND =
      Sql.of(
          """
          select t.method, %s
          from sign_in_ticket t
          join person p using (person_id)
          left join merchant m on m.merchant_id = p.merchant_id
          where t.hash = :hash and t.expires_at > now()
          """
              .formatted(Person.COLUMNS));

  private static final Sql END_ALL =
      Sql.of("delete from sign_in_ticket where person_id = :personId");

  private static final Sql USE =
      Sql.of("delete from sign_in_ticket where hash = :hash and expires_at > now()");

  /**
   * A valid ticket.
   *
   * @param method how the person passed the first step
   */
  record Ticket(Person person, String method) {}

  private SignInTickets() {}

  static String issue(Connection connection, Person person, String method) throws SQLException {
    String ticket = TokenHash.newToken();
    ISSUE
        .on(connection)
        .set("hash", TokenHash.of(ticket))
        .set("personId", person.personId())
        .set("method", method)
        .set("life", LIFE.toString())
        .update();
    return ticket;
  }

  static @Nullable Ticket find(Connection connection, String ticket) throws SQLException {
    return FIND.on(connection)
        .set("hash", TokenHash.of(ticket))
        .first(row -> new Ticket(Person.read(row), row.getString("method")));
  }

  static void endAll(Connection connection, int personId) throws SQLException {
    END_ALL.on(connection).set("personId", personId).update();
  }

  /** Uses the ticket; returns whether it was valid. */
  static boolean use(Connection connection, String ticket) throws SQLException {
    return USE.on(connection).set("hash", TokenHash.of(ticket)).update() == 1;
  }
}
