package io.stockroom.core.audit;

import io.stockroom.core.audit.Audit.Entry;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Rows;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Searches the audit log, newest first. A search for something rare reads a bounded number of rows
 * and returns where the next one continues, so that no search takes long.
 */
public final class AuditSearch {
  private static final int PAGE = 50;
  private static final int MAX_SEARCHED = 20_000;

  /** The row from which the next page continues. */
  public record Key(int merchantId, long number) {}

  /**
   * What to search for.
   *
   * @param merchantId one chain; null: all
   * @param actor a part of the actor's name; empty: anyone
   * @param action the action; empty: any
   * @param from inclusive; null: from the beginning
   * @param until exclusive; null: to the end
   * @param after the row after which the page begins; null: the newest
   */
  public record Wanted(
      @Nullable Integer merchantId,
      String actor,
      String action,
      @Nullable Instant from,
      @Nullable Instant until,
      @Nullable Key after) {}

  /**
   * A page.
   *
   * @param next where the next page begins; null if this is the last
   * @param lookedThrough the time back to which a search that filled no page has read; else null
   */
  public record Found(List<Entry> entries, @Nullable Key next, @Nullable Instant lookedThrough) {}

  /** A chain is in the order of its numbers. */
  private static final Sql OF_CHAIN =
      search("merchant_id = :merchantId and number < :afterNumber", "number desc");

  private static final String BY_TIME = "at desc, merchant_id desc, number desc";

  private static final Sql NEWEST = search("true", BY_TIME);

  private static final Sql OLDER =
      search(
          """
          (at, merchant_id, number) < (
            select at, merchant_id, number from audit
            where merchant_id = :afterMerchantId and number = :afterNumber)
          """,
          BY_TIME);

  private static Sql search(String condition, String order) {
    return Sql.of(
        """
        with looked as (
          select merchant_id, number, at, actor, action, subject, details, address, hash
          from audit
          where at >= coalesce(:from::timestamptz, '-infinity')
            and at < coalesce(:until::timestamptz, 'infinity') and %1$s
          order by %2$s limit :searched
        ), found as (
          select * from looked
          where (:actor = '' or position(:actor in lower(actor)) > 0)
            and (:action = '' or action = :action)
          order by %2$s limit :limit
        )
        select 'found' as kind, found.* from found
        union all
        select 'end', oldest.* from (
          select * from looked order by %2$s offset :searched - 1 limit 1
        ) oldest
        """
            .formatted(condition, order));
  }

  private final Database database;

  public AuditSearch(Database database) {
    this.database = database;
  }

  private record Hit(boolean found, Entry entry) {}

  public Found find(Wanted wanted) throws SQLException {
    boolean everything = wanted.actor.isEmpty() && wanted.action.isEmpty();
    List<Hit> hits =
        database.read(
            connection ->
                statement(connection, wanted)
                    .set("from", wanted.from)
                    .set("until", wanted.until)
                    .set("searched", everything ? PAGE + 1 : MAX_SEARCHED)
                    .set("actor", wanted.actor.toLowerCase(Locale.ROOT))
                    .set("action", wanted.action)
                    .set("limit", PAGE + 1)
                    .list(row -> new Hit(row.getString("kind").equals("found"), entry(row))));
    List<Entry> entries = hits.stream().filter(Hit::found).map(Hit::entry).toList();
    if (entries.size() > PAGE) {
      List<Entry> page = entries.subList(0, PAGE);
      return new Found(page, key(page.getLast()), null);
    }
    if (hits.isEmpty() || hits.getLast().found) {
      return new Found(entries, null, null);
    }
    Entry end = hits.getLast().entry;
    return new Found(entries, key(end), end.at());
  }

  private static Sql.Call statement(Connection connection, Wanted wanted) {
    Key after = wanted.after;
    if (wanted.merchantId != null) {
      return OF_CHAIN
          .on(connection)
          .set("merchantId", wanted.merchantId)
          .set("afterNumber", after == null ? Long.MAX_VALUE : after.number);
    }
    if (after == null) {
      return NEWEST.on(connection);
    }
    return OLDER
        .on(connection)
        .set("afterMerchantId", after.merchantId)
        .set("afterNumber", after.number);
  }

  private static Key key(Entry entry) {
    return new Key(entry.merchantId(), entry.number());
  }

  static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getInt("merchant_id"),
        row.getLong("number"),
        Rows.instant(row, "at"),
        row.getString("actor"),
        row.getString("action"),
        row.getString("subject"),
        row.getString("details"),
        row.getString("address"),
        HexFormat.of().formatHex(row.getBytes("hash")));
  }
}
