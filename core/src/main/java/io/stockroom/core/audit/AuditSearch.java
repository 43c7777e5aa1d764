package io.stockroom.core.audit;

import io.stockroom.core.audit.Audit.Entry;
import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
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

  private static final Comparator<Entry> NEWEST_FIRST =
      Comparator.comparing(Entry::at)
          .thenComparingInt(Entry::merchantId)
          .thenComparingLong(Entry::number)
          .reversed();

  private static final Sql AT =
      Sql.of("select at from audit where merchant_id = :merchantId and number = :number");

  private static final Sql NEWEST = search(AbsentMerchants.PRESENT, BY_TIME);

  private static final Sql OLDER =
      search(
          """
          (at, merchant_id, number) < (:afterAt::timestamptz, :afterMerchantId, :afterNumber) and
          """
              + AbsentMerchants.PRESENT,
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

  private final Cells cells;

  public AuditSearch(Cells cells) {
    this.cells = cells;
  }

  private record Hit(boolean found, Entry entry) {}

  public Found find(Wanted wanted) throws SQLException {
    boolean everything = wanted.actor.isEmpty() && wanted.action.isEmpty();
    Instant afterAt = afterAt(wanted);
    Database.Work<List<Hit>> search =
        connection ->
            statement(connection, wanted, afterAt)
                .set("from", wanted.from)
                .set("until", wanted.until)
                .set("searched", everything ? PAGE + 1 : MAX_SEARCHED)
                .set("actor", wanted.actor.toLowerCase(Locale.ROOT))
                .set("action", wanted.action)
                .set("limit", PAGE + 1)
                .list(row -> new Hit(row.getString("kind").equals("found"), entry(row)));
    List<Hit> hits =
        wanted.merchantId == null ? cells.list(search) : cells.of(wanted.merchantId).read(search);
    // the search of another cell may have come less far
    Entry end =
        hits.stream().filter(hit -> !hit.found).map(Hit::entry).min(NEWEST_FIRST).orElse(null);
    List<Entry> entries =
        hits.stream()
            .filter(Hit::found)
            .map(Hit::entry)
            .filter(entry -> end == null || NEWEST_FIRST.compare(entry, end) <= 0)
            .sorted(NEWEST_FIRST)
            .toList();
    if (entries.size() > PAGE) {
      List<Entry> page = entries.subList(0, PAGE);
      return new Found(page, key(page.getLast()), null);
    }
    return end == null ? new Found(entries, null, null) : new Found(entries, key(end), end.at());
  }

  /** When the entry was made after which the page begins; only a search of all chains needs it. */
  private @Nullable Instant afterAt(Wanted wanted) throws SQLException {
    Key after = wanted.after;
    return after == null || wanted.merchantId != null
        ? null
        : cells
            .of(after.merchantId)
            .<@Nullable Instant>read(
                connection ->
                    AT.on(connection)
                        .set("merchantId", after.merchantId)
                        .set("number", after.number)
                        .<Instant>first(row -> Sql.instant(row, "at")));
  }

  private static Sql.Call statement(
      Connection connection, Wanted wanted, @Nullable Instant afterAt) {
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
        .set("afterAt", afterAt)
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
        Sql.instant(row, "at"),
        row.getString("actor"),
        row.getString("action"),
        row.getString("subject"),
        row.getString("details"),
        row.getString("address"),
        HexFormat.of().formatHex(row.getBytes("hash")));
  }
}
