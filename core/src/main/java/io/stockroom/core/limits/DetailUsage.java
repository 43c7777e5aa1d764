package io.stockroom.core.limits;

import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.DetailLimits.Account;
import io.stockroom.core.limits.DetailLimits.Facts;
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
 * Reads the input of the detail limits by the database's clock: the windows, and the products
 * fetched and published within them. All of it is a common table expression, so product detail
 * locks the account and reads it together with the product in one round trip.
 */
public final class DetailUsage {
  private DetailUsage() {}

  private static final String MOMENT =
      """
      select t.now, a.day, a.used, h.here::date as today,
        (greatest(a.day, h.here::date) + 1)::timestamp at time zone t.zone as day_ends,
        %s as grace_edge, %s as publish_edge, %s as store_edge
      from detail_usage a
      cross join (
        select
          coalesce(nullif(:fixedTime::timestamptz, '-infinity'), clock_timestamp()) as now,
          :zone::text as zone, :grace::interval as grace, :publish::interval as publish,
          :storeWindow::interval as store
      ) t
      cross join lateral (select t.now at time zone t.zone as here) h
      where a.merchant_id = :merchantId
      """
          .formatted(edge("grace"), edge("publish"), edge("store"));

  private static final String LOCK =
      "select 1 from detail_usage where merchant_id = :merchantId for no key update";

  private static final Sql LOCK_ONLY = Sql.of(LOCK);

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

  /** Locks the merchant's account until the transaction ends. */
  static void lock(Connection connection, int merchantId) throws SQLException {
    var _ = LOCK_ONLY.on(connection).set("merchantId", merchantId).exists();
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
        Sql.instant(row, "grace_edge"),
        Sql.instant(row, "publish_edge"),
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
  static @Nullable Instant storeOpens(
      Connection connection, int merchantId, String store, Limits limits, Moment moment)
      throws SQLException {
    return STORE_OPENS
        .on(connection)
        .set("zone", zone(limits))
        .set("window", limits.storeWindow().toString())
        .set("merchantId", merchantId)
        .set("store", store)
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

  private static final String FACTS =
      """
      with moment as materialized (
      %s), facts as (
        select m.*, p.fetched, p.published,
          coalesce((select products from store_usage
            where merchant_id = :merchantId and bound_store = :store), 0)
          - (select count(*) from store_product
              where merchant_id = :merchantId and bound_store = :store
                and last_at <= m.store_edge) as store_products,
          exists (select 1 from store_product
            where merchant_id = :merchantId and bound_store = :store
              and product_id = :productId and last_at > m.store_edge) as counted
        from moment m
        cross join lateral (
          select count(*) as fetched, count(*) filter (where published) as published
          from detail_fetch
          where merchant_id = :merchantId and first_at <= m.grace_edge
            and last_at > m.publish_edge
        ) p
      )
      """
          .formatted(MOMENT);

  /** The facts alone, without the lock. */
  static final Sql LOOK = Sql.of(FACTS + "select * from facts");

  /**
   * Puts a lock of the account and {@code facts}, a table of one row, in front of a query, which
   * may also use the parameters {@code :merchantId} and {@code :productId}. Run the statements with
   * {@link DetailLimits#hold}, and read the row with {@link #read}. The second one sees what was
   * committed before the lock was granted.
   */
  public static Sql beside(String select) {
    return Sql.of(LOCK + ";\n" + FACTS + select);
  }

  /**
   * Sets the parameters.
   *
   * @param fixedTime replaces the database's clock
   */
  static Sql.Call on(
      Connection connection,
      Sql statement,
      int merchantId,
      String store,
      int productId,
      Limits limits,
      @Nullable Instant fixedTime) {
    return statement
        .on(connection)
        // not null: the driver sends a statement with untyped parameters on its own
        .set("fixedTime", fixedTime == null ? "-infinity" : fixedTime.toString())
        .set("zone", zone(limits))
        .set("grace", limits.publishGrace().toString())
        .set("publish", limits.publishWindow().toString())
        .set("storeWindow", limits.storeWindow().toString())
        .set("merchantId", merchantId)
        .set("store", store)
        .set("productId", productId);
  }

  public static Account read(ResultSet row) throws SQLException {
    return new Account(
        moment(row),
        new Facts(
            row.getInt("fetched"),
            row.getInt("published"),
            row.getInt("store_products"),
            row.getBoolean("counted")));
  }
}
