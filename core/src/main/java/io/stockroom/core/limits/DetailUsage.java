package io.stockroom.core.limits;

import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.DetailLimits.Account;
import io.stockroom.core.limits.DetailLimits.Facts;
import io.stockroom.core.limits.DetailLimits.Fetch;
import io.stockroom.core.limits.DetailLimits.Moment;
import io.stockroom.core.settings.Limits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Reads a merchant's account by the database's clock: the windows, and what was used within them.
 * All of it is a common table expression, so product detail locks the account and reads it together
 * with the product in one round trip.
 *
 * <p>Nothing is counted that grows with use. {@code detail_usage} has the counts of the publish
 * results that were due when the account was last saved. What has entered or left the windows since
 * is added and subtracted here: each fetched product once when its grace ends, and once when it
 * leaves the window. If a window was changed, or the clock was set back, the edges move by more, or
 * the other way, and the same sum is right.
 */
public final class DetailUsage {
  private DetailUsage() {}

  /**
   * Planning what follows takes longer than running it, so the transaction keeps the plans of its
   * connection.
   */
  private static final String LOCK =
      """
      select set_config('plan_cache_mode', 'force_generic_plan', true)
      from detail_usage where merchant_id = :merchantId for no key update\
      """;

  private static final Sql LOCK_ONLY = Sql.of(LOCK);

  private static final String MOMENT =
      """
      select a.*, t.bound_store, t.now, h.here::date as today,
        (greatest(a.day, h.here::date) + 1)::timestamp at time zone t.zone as day_ends,
        %s as to_grace_edge, %s as to_publish_edge, %s as store_edge
      from detail_usage a
      cross join (
        select coalesce(nullif(:fixedTime::timestamptz, '-infinity'), clock_timestamp()) as now,
          :zone::text as zone, :store::text as bound_store, :grace::interval as grace,
          :publishWindow::interval as publish_window, :storeWindow::interval as store_window
      ) t
      cross join lateral (select t.now at time zone t.zone as here) h
      where a.merchant_id = :merchantId
      """
          .formatted(edge("grace"), edge("publish_window"), edge("store_window"));

  /**
   * The start of the window {@code span}. If the month in which it starts has no such day (three
   * months before 31 May), the window starts at the end of that month. Otherwise a fetch that left
   * the window on 28 May at noon would be inside again on the morning of 31 May.
   */
  private static String edge(String span) {
    return """
    (case when h.here - t.%1$s + t.%1$s < h.here
      then date_trunc('day', h.here - t.%1$s) + interval '1 day -1 microsecond'
      else h.here - t.%1$s end) at time zone t.zone\
    """
        .formatted(span);
  }

  /** The rows that are on the other side of an edge than when the account was saved. */
  private static final String CROSSED =
      """
      select f.reported, f.published,
        (f.first_at <= m.to_grace_edge and f.last_at > m.to_publish_edge)::int
        - (f.first_at <= m.grace_edge and f.last_at > m.publish_edge)::int as change
      from moment m
      cross join lateral (
        select least(m.grace_edge, m.to_grace_edge) as grace_from,
          greatest(m.grace_edge, m.to_grace_edge) as grace_to,
          least(m.publish_edge, m.to_publish_edge) as publish_from,
          greatest(m.publish_edge, m.to_publish_edge) as publish_to
      ) e
      cross join lateral (
        select first_at, last_at, reported, published from detail_fetch
        where merchant_id = m.merchant_id and first_at > e.grace_from and first_at <= e.grace_to
        union all
        select first_at, last_at, reported, published from detail_fetch
        where merchant_id = m.merchant_id and last_at > e.publish_from and last_at <= e.publish_to
          and not (first_at > e.grace_from and first_at <= e.grace_to)
      ) f
      """;

  private static final String FACTS =
      """
      with moment as materialized (
      %s), crossed as (
      %s), facts as (
        select m.*, m.due + c.due as fetched, m.due_reported + c.reported as reported,
          m.due_published + c.published as published,
          coalesce((select products from store_usage u
            where u.merchant_id = m.merchant_id and u.bound_store = m.bound_store), 0)
            - s.expired as store_products,
          exists (select 1 from store_product p
            where p.merchant_id = m.merchant_id and p.bound_store = m.bound_store
              and p.product_id = :productId and p.last_at > m.store_edge) as counted,
          c.rows > 0 or s.expired > 0 as has_aged
        from moment m
        cross join (
          select count(*) as rows, coalesce(sum(change), 0) as due,
            coalesce(sum(change) filter (where reported), 0) as reported,
            coalesce(sum(change) filter (where published), 0) as published
          from crossed
        ) c
        cross join lateral (
          select count(*) as expired from store_product p
          where p.merchant_id = m.merchant_id and p.bound_store = m.bound_store
            and p.last_at <= m.store_edge
        ) s
      )
      """
          .formatted(MOMENT, CROSSED);

  /** The account alone, without the lock. */
  private static final Sql LOOK = Sql.of(FACTS + "select * from facts");

  /** Locks the merchant's account until the transaction ends. */
  static void lock(Connection connection, int merchantId) throws SQLException {
    var _ = LOCK_ONLY.on(connection).set("merchantId", merchantId).exists();
  }

  /**
   * Puts a lock of the account and {@code facts}, a table of one row, in front of a query, which
   * must return its columns and may use {@code :productId}. Run it with {@link DetailLimits#hold},
   * and read the row with {@link #read}. The query sees what was committed before the lock was
   * granted.
   */
  public static Sql beside(String select) {
    return Sql.of(LOCK + ";\n" + FACTS + select);
  }

  static Account look(Connection connection, Fetch fetch, @Nullable Instant fixedTime)
      throws SQLException {
    return on(connection, LOOK, fetch, fixedTime).one(DetailUsage::read);
  }

  /**
   * Sets the parameters.
   *
   * @param fixedTime replaces the database's clock
   */
  static Sql.Call on(
      Connection connection, Sql statement, Fetch fetch, @Nullable Instant fixedTime) {
    Limits limits = fetch.limits();
    return statement
        .on(connection)
        // not null: the driver sends a statement with untyped parameters on its own
        .set("fixedTime", fixedTime == null ? "-infinity" : fixedTime.toString())
        .set("merchantId", fetch.merchantId())
        .set("store", fetch.store())
        .set("productId", fetch.productId())
        .set("zone", zone(limits))
        .set("grace", limits.publishGrace().toString())
        .set("publishWindow", limits.publishWindow().toString())
        .set("storeWindow", limits.storeWindow().toString());
  }

  public static Account read(ResultSet row) throws SQLException {
    return new Account(
        moment(row),
        new Facts(
            row.getInt("fetched"),
            row.getInt("reported"),
            row.getInt("published"),
            row.getInt("store_products"),
            row.getBoolean("counted")),
        row.getBoolean("has_aged"));
  }

  /** The day never goes back, even if a request from before midnight had to wait for the lock. */
  private static Moment moment(ResultSet row) throws SQLException {
    LocalDate day = row.getObject("day", LocalDate.class);
    LocalDate today = row.getObject("today", LocalDate.class);
    return new Moment(
        Sql.instant(row, "now"),
        day.isAfter(today) ? day : today,
        Sql.instant(row, "day_ends"),
        day.isBefore(today) ? 0 : row.getInt("used"),
        Sql.instant(row, "to_grace_edge"),
        Sql.instant(row, "to_publish_edge"),
        Sql.instant(row, "store_edge"));
  }

  private static final Sql STORE_OPENS =
      Sql.of(
          """
          select (case when opens - span < oldest
            then date_trunc('day', opens) + interval '1 day' else opens end) at time zone zone
            as opens_at
          from (
            select min(last_at) at time zone :zone as oldest, :window::interval as span,
              :zone::text as zone
            from store_product
            where merchant_id = :merchantId and bound_store = :store and last_at > :storeEdge
          ) s
          cross join lateral (select s.oldest + s.span as opens) o
          """);

  /** When the store's oldest fetch leaves the window; null if there is none. */
  static @Nullable Instant storeOpens(Connection connection, Fetch fetch, Moment moment)
      throws SQLException {
    return STORE_OPENS
        .on(connection)
        .set("zone", zone(fetch.limits()))
        .set("window", fetch.limits().storeWindow().toString())
        .set("merchantId", fetch.merchantId())
        .set("store", fetch.store())
        .set("storeEdge", moment.storeEdge())
        .first(row -> Sql.instantOrNull(row, "opens_at"));
  }

  /** PostgreSQL reads a bare offset as POSIX does, with the opposite sign: +08:00 as UTC-8. */
  private static String zone(Limits limits) {
    if (!(limits.zone().normalized() instanceof ZoneOffset offset)) {
      return limits.zone().getId();
    }
    int west = -offset.getTotalSeconds();
    if (west == 0) {
      return "UTC";
    }
    int seconds = Math.abs(west);
    return "<zone>%s%02d:%02d:%02d"
        .formatted(west < 0 ? "-" : "+", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
