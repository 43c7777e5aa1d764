package io.stockroom.core.limits;

import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.DetailLimits.Account;
import io.stockroom.core.limits.DetailLimits.Facts;
import io.stockroom.core.limits.DetailLimits.Fetch;
import io.stockroom.core.limits.DetailLimits.Moment;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.PublishCounts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the input of the detail limits by the database's clock: the windows, and the products
 * fetched within them. All of it is a common table expression, so product detail locks accounts and
 * reads them together with the products in one round trip.
 */
public final class DetailUsage {
  private DetailUsage() {}

  private static final String MOMENT =
      """
      select k.n, k.merchant_id, k.store, k.product_id, t.now, a.day, a.used,
        h.here::date as today,
        (greatest(a.day, h.here::date) + 1)::timestamp at time zone k.zone as day_ends,
        k.only_published,
        %s as grace_edge, %s as publish_edge, %s as store_edge
      from unnest(:merchantIds::int[], :stores::text[], :productIds::int[], :zones::text[],
          :graces::text[]::interval[], :publishWindows::text[]::interval[],
          :storeWindows::text[]::interval[], :onlyPublished::text[]::boolean[])
        with ordinality
        k (merchant_id, store, product_id, zone, grace, publish_window, store_window,
          only_published, n)
      cross join lateral (
        select day, used from detail_usage where merchant_id = k.merchant_id limit 1
      ) a
      cross join (
        select coalesce(nullif(:fixedTime::timestamptz, '-infinity'), clock_timestamp()) as now
      ) t
      cross join lateral (select t.now at time zone k.zone as here) h
      """
          .formatted(edge("grace"), edge("publish_window"), edge("store_window"));

  private static final String LOCK =
      """
      select merchant_id from detail_usage where merchant_id = any (:merchantIds)
      order by merchant_id for no key update\
      """;

  private static final Sql LOCK_ONLY = Sql.of(LOCK);

  /**
   * The start of the window {@code span}. If the month in which it starts has no such day (three
   * months before 31 May), the window starts at the end of that month. Otherwise a fetch that left
   * the window on 28 May at noon would be inside again on the morning of 31 May.
   */
  private static String edge(String span) {
    return """
    (case when h.here - k.%1$s + k.%1$s < h.here
      then date_trunc('day', h.here - k.%1$s) + interval '1 day -1 microsecond'
      else h.here - k.%1$s end) at time zone k.zone\
    """
        .formatted(span);
  }

  /** Locks the merchant's account until the transaction ends. */
  static void lock(Connection connection, int merchantId) throws SQLException {
    var _ = LOCK_ONLY.on(connection).set("merchantIds", new int[] {merchantId}).exists();
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

  private static final String FACTS =
      """
      with moment as materialized (
      %s), facts as (
        select m.*, p.fetched, p.results,
          coalesce((select products from store_usage u
            where u.merchant_id = m.merchant_id and u.bound_store = m.store), 0)
          - (select count(*) from store_product s
              where s.merchant_id = m.merchant_id and s.bound_store = m.store
                and s.last_at <= m.store_edge) as store_products,
          exists (select 1 from store_product s
            where s.merchant_id = m.merchant_id and s.bound_store = m.store
              and s.product_id = m.product_id and s.last_at > m.store_edge) as counted
        from moment m
        cross join lateral (
          select count(*) as fetched,
            count(*) filter (where published or (reported and not m.only_published)) as results
          from detail_fetch f
          where f.merchant_id = m.merchant_id and f.first_at <= m.grace_edge
            and f.last_at > m.publish_edge
        ) p
      )
      """
          .formatted(MOMENT);

  /** The facts alone, without the lock. */
  static final Sql LOOK = Sql.of(FACTS + "select * from facts");

  /**
   * Locks accounts, and then reads.
   *
   * @param waiting waits for accounts that others have locked
   * @param skipping leaves them out
   */
  public record Held(Sql waiting, Sql skipping) {}

  /**
   * Puts a lock of the accounts and {@code facts}, a table with a row for each fetch, in front of a
   * query, which must return its columns. Run the statements with {@link DetailLimits#hold}, and
   * read each row with {@link #read}. The second one sees what was committed before the locks were
   * granted.
   */
  public static Held beside(String select) {
    String rest = ";\n" + FACTS + select;
    return new Held(Sql.of(LOCK + rest), Sql.of(LOCK + " skip locked" + rest));
  }

  /**
   * Sets the parameters.
   *
   * @param fixedTime replaces the database's clock
   */
  static Sql.Call on(
      Connection connection, Sql statement, List<Fetch> fetches, @Nullable Instant fixedTime) {
    return statement
        .on(connection)
        // not null: the driver sends a statement with untyped parameters on its own
        .set("fixedTime", fixedTime == null ? "-infinity" : fixedTime.toString())
        .set("merchantIds", fetches.stream().mapToInt(Fetch::merchantId).toArray())
        .set("stores", texts(fetches, Fetch::store))
        .set("productIds", fetches.stream().mapToInt(Fetch::productId).toArray())
        .set("zones", texts(fetches, fetch -> zone(fetch.limits())))
        .set("graces", texts(fetches, fetch -> fetch.limits().publishGrace()))
        .set("publishWindows", texts(fetches, fetch -> fetch.limits().publishWindow()))
        .set("storeWindows", texts(fetches, fetch -> fetch.limits().storeWindow()))
        .set(
            "onlyPublished",
            texts(fetches, fetch -> fetch.limits().publishCounts() == PublishCounts.PUBLISHED));
  }

  /** An array of a value of each element; PostgreSQL reads the values of any type from text. */
  static <T> String[] texts(List<T> elements, Function<T, Object> value) {
    return elements.stream().map(value).map(Object::toString).toArray(String[]::new);
  }

  public static Account read(ResultSet row) throws SQLException {
    return new Account(
        moment(row),
        new Facts(
            row.getInt("fetched"),
            row.getInt("results"),
            row.getInt("store_products"),
            row.getBoolean("counted")));
  }
}
