package io.stockroom.console.people;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Span;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Searches the people of the console for operators, with the time of their last use. */
public final class PeopleDirectory {
  private static final Sql FIND =
      Sql.of(select("person p", "where p.person_id = :personId", "p.person_id"));
  private static final Sql FORWARDS = page(">", "asc");
  private static final Sql BACKWARDS = page("<", "desc");

  /**
   * One row of the result.
   *
   * @param sessions how many browsers are signed in
   * @param lastSeen null if never, or more than a year ago
   */
  public record Row(Person person, int sessions, @Nullable Instant lastSeen) {}

  /**
   * The search.
   *
   * @param text a part of the address; empty for all
   * @param merchantId only people of this merchant; null for all
   * @param after the page starts after this person; 0 for the first page
   * @param before the page ends before this person; 0 if unused
   */
  public record Wanted(
      String text, @Nullable Integer merchantId, int after, int before, int size) {}

  /**
   * One page: operators first, then by merchant.
   *
   * @param after where the next page starts; null if there is none
   * @param before where the previous page ends; null if there is none
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

  /** One person; null if there is none. */
  public @Nullable Row find(int personId) throws SQLException {
    return database.read(
        connection ->
            bounded(FIND.on(connection)).set("personId", personId).first(PeopleDirectory::read));
  }

  private List<Row> rows(Connection connection, Wanted wanted, boolean backwards)
      throws SQLException {
    return bounded((backwards ? BACKWARDS : FORWARDS).on(connection))
        .set("text", wanted.text.toLowerCase(Locale.ROOT))
        .set("merchantId", wanted.merchantId)
        .set("key", backwards ? wanted.before : wanted.after)
        .set("limit", wanted.size + 1)
        .list(PeopleDirectory::read);
  }

  private Sql.Call bounded(Sql.Call call) {
    return call.set("idle", idle.toString()).set("longest", longest.toString());
  }

  private static Sql page(String comparison, String direction) {
    String order = "coalesce(p.merchant_id, 0) %1$s, p.email %1$s".formatted(direction);
    String page =
        """
        (
          select * from person p
          where (:text = '' or position(:text in p.email) > 0)
            and (:merchantId::int is null or p.merchant_id = :merchantId)
            and (:key = 0 or (coalesce(p.merchant_id, 0), p.email) %s (
              select coalesce(merchant_id, 0), email from person where person_id = :key))
          order by %s limit :limit
        ) p
        """
            .formatted(comparison, order);
    return Sql.of(select(page, "", order));
  }

  private static String select(String people, String where, String order) {
    return """
        select %s, coalesce(s.sessions, 0) as sessions,
          greatest(s.seen_at, (
            select max(last_used_at) from known_browser b where b.person_id = p.person_id
          )) as last_seen
        from (select :idle::interval as idle, :longest::interval as longest) bounds
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

  private static Row read(ResultSet row) throws SQLException {
    return new Row(Person.read(row), row.getInt("sessions"), Sql.instantOrNull(row, "last_seen"));
  }
}
