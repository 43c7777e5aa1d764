package io.stockroom.server.limits;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.server.call.Caller;
import io.stockroom.server.settings.Limits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The three limits of product detail. While it holds the merchant's account, nothing else can fetch
 * or publish for that merchant, so judging and charging are exact over all nodes; the clock is the
 * database's.
 */
public final class DetailLimits {
  /** The moment at which limits are judged, and the edges of their windows at that moment. */
  public record Moment(
      Instant now,
      LocalDate day,
      Instant dayEnds,
      int usedToday,
      Instant graceEdge,
      Instant publishEdge,
      Instant storeEdge) {
    /** The same moment after another detail was fetched. */
    public Moment afterOne() {
      return new Moment(now, day, dayEnds, usedToday + 1, graceEdge, publishEdge, storeEdge);
    }
  }

  /**
   * What was fetched and published, within the windows.
   *
   * @param fetched the products that need a publish result by now
   * @param published those of them that have one
   * @param storeProducts the products counted for the bound store
   * @param counted whether the wanted product is one of them
   */
  public record Facts(int fetched, int published, int storeProducts, boolean counted) {
    /** The facts after the wanted product was fetched. */
    public Facts afterOne() {
      return new Facts(fetched, published, storeProducts + (counted ? 0 : 1), true);
    }
  }

  private final Supplier<Optional<Instant>> fixedTime;

  /**
   * @param fixedTime the time to judge by instead of the database's; empty but in tests
   */
  public DetailLimits(Supplier<Optional<Instant>> fixedTime) {
    this.fixedTime = fixedTime;
  }

  /** Holds the merchant's account until the transaction ends. */
  public Moment hold(Connection connection, int merchantId, Limits limits) throws SQLException {
    return moment(connection, merchantId, limits, "for no key update of a");
  }

  /** The same without holding anything: for a look at the usage. */
  Moment look(Connection connection, int merchantId, Limits limits) throws SQLException {
    return moment(connection, merchantId, limits, "");
  }

  private static final String MOMENT =
      """
      select t.now, a.day, a.used, h.here::date as today,
        (greatest(a.day, h.here::date) + 1)::timestamp at time zone t.zone as day_ends,
        %s as grace_edge, %s as publish_edge, %s as store_edge
      from detail_account a
      cross join (
        select coalesce(?::timestamptz, clock_timestamp()) as now, ?::text as zone,
          ?::interval as grace, ?::interval as publish, ?::interval as store
      ) t
      cross join lateral (select t.now at time zone t.zone as here) h
      where a.merchant_id = ?
      """
          .formatted(edge("grace"), edge("publish"), edge("store"));

  /** A day never goes back, even where a request that began before midnight waited for the row. */
  private Moment moment(Connection connection, int merchantId, Limits limits, String lock)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MOMENT + lock)) {
      statement.setObject(1, fixedTime.get().map(t -> t.atOffset(ZoneOffset.UTC)).orElse(null));
      statement.setString(2, zone(limits));
      statement.setString(3, limits.publishGrace().toString());
      statement.setString(4, limits.publishWindow().toString());
      statement.setString(5, limits.storeWindow().toString());
      statement.setInt(6, merchantId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        LocalDate day = row.getObject("day", LocalDate.class);
        LocalDate today = row.getObject("today", LocalDate.class);
        return new Moment(
            instant(row, "now"),
            day.isAfter(today) ? day : today,
            instant(row, "day_ends"),
            day.isBefore(today) ? 0 : row.getInt("used"),
            instant(row, "grace_edge"),
            instant(row, "publish_edge"),
            instant(row, "store_edge"));
      }
    }
  }

  /**
   * How far the window {@code span} reaches back. On the last days of a month that is longer than
   * the one the window begins in, all of that month has left: else what left on 28 May at noon
   * would be back in a window of three months on the morning of 31 May.
   */
  private static String edge(String span) {
    return """
    (case when h.here - t.%1$s + t.%1$s < h.here
      then date_trunc('day', h.here - t.%1$s) + interval '1 day -1 microsecond'
      else h.here - t.%1$s end) at time zone t.zone\
    """
        .formatted(span);
  }

  /** PostgreSQL counts a bare offset westwards: it would take Java's +08:00 for -08:00. */
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

  /**
   * The facts as a table expression named {@code facts}, to be read in the same statement as the
   * product; {@link #bindFacts} fills its parameters, {@link #readFacts} reads it.
   */
  public static final String FACTS =
      """
      facts as (
        select p.fetched, p.published,
          coalesce((select products from store_account
            where merchant_id = ? and bound_store = ?), 0)
          - (select count(*) from store_product
              where merchant_id = ? and bound_store = ? and last_at <= ?) as store_products,
          exists (select 1 from store_product
            where merchant_id = ? and bound_store = ? and product_id = ? and last_at > ?) as counted
        from (
          select count(*) as fetched, count(*) filter (where published) as published
          from detail_fetch
          where merchant_id = ? and first_at <= ? and last_at > ?
        ) p
      )
      """;

  /** Gives the number of the parameter after the last one it has set. */
  public static int bindFacts(
      PreparedStatement statement, int merchantId, String store, int productId, Moment moment)
      throws SQLException {
    OffsetDateTime storeEdge = time(moment.storeEdge);
    statement.setInt(1, merchantId);
    statement.setString(2, store);
    statement.setInt(3, merchantId);
    statement.setString(4, store);
    statement.setObject(5, storeEdge);
    statement.setInt(6, merchantId);
    statement.setString(7, store);
    statement.setInt(8, productId);
    statement.setObject(9, storeEdge);
    statement.setInt(10, merchantId);
    statement.setObject(11, time(moment.graceEdge));
    statement.setObject(12, time(moment.publishEdge));
    return 13;
  }

  public static Facts readFacts(ResultSet row) throws SQLException {
    return new Facts(
        row.getInt("fetched"),
        row.getInt("published"),
        row.getInt("store_products"),
        row.getBoolean("counted"));
  }

  /** Why another detail must not be fetched now; null where it may. */
  public @Nullable Problem refusal(Connection connection, Caller caller, Moment moment, Facts facts)
      throws SQLException {
    Limits limits = caller.limits();
    if (moment.usedToday >= limits.detailPerDay()) {
      return Problem.of(
          "",
          ErrorCode.DETAIL_PER_DAY,
          limits.detailPerDay(),
          moment.usedToday,
          moment.day,
          limits.zone(),
          moment.dayEnds);
    }
    if (isJudged(limits, facts) && missing(limits, facts) > 0) {
      return Problem.of(
          "",
          ErrorCode.PUBLISH_SHARE,
          facts.fetched,
          limits.publishGrace(),
          limits.publishWindow(),
          facts.published,
          facts.published + missing(limits, facts),
          limits.publishShare(),
          missing(limits, facts));
    }
    if (!facts.counted && facts.storeProducts >= limits.storeProducts()) {
      return Problem.of(
          "",
          ErrorCode.STORE_PRODUCTS,
          caller.boundStore(),
          facts.storeProducts,
          limits.storeProducts(),
          limits.storeWindow(),
          storeOpens(connection, caller, moment));
    }
    return null;
  }

  /** When a refused call may work again by itself: the nearest moment at which a count changes. */
  public Instant retryAt(Connection connection, Caller caller, Moment moment, ErrorCode code)
      throws SQLException {
    return switch (code) {
      case DETAIL_PER_DAY -> moment.dayEnds;
      case STORE_PRODUCTS -> storeOpens(connection, caller, moment);
      default -> moment.now.plus(Duration.ofHours(1));
    };
  }

  static boolean isJudged(Limits limits, Facts facts) {
    return facts.fetched >= limits.publishMinimum();
  }

  /** How many more publish results reach the share; 0 where it is reached. */
  static int missing(Limits limits, Facts facts) {
    int needed =
        (int)
            Math.ceilDiv(
                (long) facts.fetched * limits.publishShare().part(), limits.publishShare().whole());
    return Math.max(0, needed - facts.published);
  }

  /** When the product that was fetched longest ago for this store leaves the window. */
  private static Instant storeOpens(Connection connection, Caller caller, Moment moment)
      throws SQLException {
    Instant opens =
        storeOpens(connection, caller.merchantId(), caller.boundStore(), caller.limits(), moment);
    return opens == null ? moment.dayEnds : opens;
  }

  static @Nullable Instant storeOpens(
      Connection connection, int merchantId, String store, Limits limits, Moment moment)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select (case when opens - span < oldest
              then date_trunc('day', opens) + interval '1 day' else opens end) at time zone zone
            from (
              select min(last_at) at time zone ? as oldest, ?::interval as span, ?::text as zone
              from store_product
              where merchant_id = ? and bound_store = ? and last_at > ?
            ) s
            cross join lateral (select s.oldest + s.span as opens) o
            """)) {
      statement.setString(1, zone(limits));
      statement.setString(2, limits.storeWindow().toString());
      statement.setString(3, zone(limits));
      statement.setInt(4, merchantId);
      statement.setString(5, store);
      statement.setObject(6, time(moment.storeEdge));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        OffsetDateTime opens = row.getObject(1, OffsetDateTime.class);
        return opens == null ? null : opens.toInstant();
      }
    }
  }

  /** Counts one fetch of a product: for the day, for the store, for the publish results. */
  public void charge(
      Connection connection, Caller caller, int productId, Moment moment, Facts facts)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            with day as (
              update detail_account set day = ?, used = ? where merchant_id = ?
            ), gone as (
              delete from store_product
              where merchant_id = ? and bound_store = ? and last_at <= ? and product_id <> ?
            ), account as (
              insert into store_account (merchant_id, bound_store, products) values (?, ?, ?)
              on conflict (merchant_id, bound_store) do update set products = excluded.products
            ), store as (
              insert into store_product (merchant_id, bound_store, product_id, last_at)
              values (?, ?, ?, ?)
              on conflict (merchant_id, bound_store, product_id) do update
              set last_at = excluded.last_at
            )
            insert into detail_fetch as f (merchant_id, product_id, first_at, last_at, published)
            values (?, ?, ?, ?, exists (
              select 1 from publish_result
              where merchant_id = ? and product_id = ? and result = 'published'))
            on conflict (merchant_id, product_id) do update
            set first_at = case when f.last_at <= ? then excluded.first_at else f.first_at end,
                last_at = excluded.last_at
            """)) {
      int merchantId = caller.merchantId();
      OffsetDateTime now = time(moment.now);
      statement.setObject(1, moment.day);
      statement.setInt(2, moment.afterOne().usedToday);
      statement.setInt(3, merchantId);
      statement.setInt(4, merchantId);
      statement.setString(5, caller.boundStore());
      statement.setObject(6, time(moment.storeEdge));
      statement.setInt(7, productId);
      statement.setInt(8, merchantId);
      statement.setString(9, caller.boundStore());
      statement.setInt(10, facts.afterOne().storeProducts);
      statement.setInt(11, merchantId);
      statement.setString(12, caller.boundStore());
      statement.setInt(13, productId);
      statement.setObject(14, now);
      statement.setInt(15, merchantId);
      statement.setInt(16, productId);
      statement.setObject(17, now);
      statement.setObject(18, now);
      statement.setInt(19, merchantId);
      statement.setInt(20, productId);
      statement.setObject(21, time(moment.publishEdge));
      statement.executeUpdate();
    }
  }

  /** What is used of the limits of a merchant and a store, for headers and usage. */
  public static List<Allowance> allowances(Limits limits, Moment moment, Facts facts) {
    long storeSeconds = Duration.between(moment.storeEdge, moment.now).toSeconds();
    return List.of(
        new Allowance(
            "detail-per-day", limits.detailPerDay(), moment.usedToday, 86_400, moment.dayEnds),
        new Allowance(
            "store-products", limits.storeProducts(), facts.storeProducts, storeSeconds, null));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
