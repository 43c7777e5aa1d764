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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The people of the console as an operator looks for them, with when they were last there. */
public final class PeopleDirectory {
  /**
   * One person of a page.
   *
   * @param sessions in how many browsers they are signed in
   * @param lastSeen null where they never were there, or a year ago and more
   */
  public record Row(Person person, int sessions, @Nullable Instant lastSeen) {}

  /**
   * What is asked for.
   *
   * @param text a part of the address; empty: all
   * @param merchantId the people of this merchant; null: everybody
   * @param after the person after whom the page begins; 0: at the beginning
   * @param before the person before whom the page ends; 0: it begins somewhere
   */
  public record Wanted(
      String text, @Nullable Integer merchantId, int after, int before, int size) {}

  /**
   * A page: operators first, then merchant by merchant.
   *
   * @param after where the next page begins; null: there is none
   * @param before where the page before ends; null: there is none
   */
  public record Page(List<Row> rows, @Nullable Integer after, @Nullable Integer before) {}

  private final Database database;
  private final Span idle;
  private final Span longest;

  public PeopleDirectory(Database database, Span idle, Span longest) {
    this.database = database;
    this.idle = idle;
    this.longest = longest;
  }

  public Page page(Wanted wanted) throws SQLException {
    return database.read(
        connection -> {
          boolean backwards = wanted.before > 0;
          List<Row> rows = rows(connection, wanted, backwards);
          boolean more = rows.size() > wanted.size;
          if (more) {
            rows.removeLast();
          }
          if (backwards) {
            Collections.reverse(rows);
          }
          boolean next = (backwards || more) && !rows.isEmpty();
          boolean previous = (backwards ? more : wanted.after > 0) && !rows.isEmpty();
          return new Page(
              rows,
              next ? rows.getLast().person.personId() : null,
              previous ? rows.getFirst().person.personId() : null);
        });
  }

  /** One person, or null where there is none of that number. */
  public @Nullable Row find(int personId) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  select("person p", "where p.person_id = ?", "p.person_id"))) {
            statement.setString(1, idle.toString());
            statement.setString(2, longest.toString());
            statement.setInt(3, personId);
            List<Row> found = read(statement);
            return found.isEmpty() ? null : found.getFirst();
          }
        });
  }

  private List<Row> rows(Connection connection, Wanted wanted, boolean backwards)
      throws SQLException {
    String way = backwards ? "desc" : "asc";
    String order = "coalesce(p.merchant_id, 0) %1$s, p.email %1$s".formatted(way);
    String page =
        """
        (
          select * from person p
          where (? = '' or position(? in p.email) > 0) and (?::int is null or p.merchant_id = ?)
            and (? = 0 or (coalesce(p.merchant_id, 0), p.email) %s (
              select coalesce(merchant_id, 0), email from person where person_id = ?))
          order by %s limit ?
        ) p
        """
            .formatted(backwards ? "<" : ">", order);
    try (PreparedStatement statement = connection.prepareStatement(select(page, "", order))) {
      int key = backwards ? wanted.before : wanted.after;
      String text = wanted.text.toLowerCase(Locale.ROOT);
      statement.setString(1, idle.toString());
      statement.setString(2, longest.toString());
      statement.setString(3, text);
      statement.setString(4, text);
      statement.setObject(5, wanted.merchantId);
      statement.setObject(6, wanted.merchantId);
      statement.setInt(7, key);
      statement.setInt(8, key);
      statement.setInt(9, wanted.size + 1);
      return read(statement);
    }
  }

  private static String select(String people, String where, String order) {
    return """
        select %s, coalesce(s.sessions, 0) as sessions,
          greatest(s.seen_at, (
            select max(last_used_at) from known_browser b where b.person_id = p.person_id
          )) as last_seen
        from (select ?::interval as idle, ?::interval as longest) bounds
        cross join %s
        left join merchant m on m.merchant_id = p.merchant_id
        left join lateral (
          select count(*) filter (where last_used_at > now() - bounds.idle
            and created_at > now() - bounds.longest) as sessions, max(last_used_at) as seen_at
          from session where person_id = p.person_id
        ) s on true
        %s
        order by %s
        """
        .formatted(Person.COLUMNS, people, where, order);
  }

  private static List<Row> read(PreparedStatement statement) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        OffsetDateTime seen = row.getObject("last_seen", OffsetDateTime.class);
        rows.add(
            new Row(
                Person.read(row), row.getInt("sessions"), seen == null ? null : seen.toInstant()));
      }
    }
    return rows;
  }
}
