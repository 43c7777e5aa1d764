package io.stockroom.core.limits;

import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.database.AtCommit;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Limits;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The three limits of product detail. A call first locks the merchant's account, which blocks other
 * fetches and publish reports of that merchant, so the counts are exact across all nodes. The clock
 * is the database's.
 */
public final class DetailLimits {
  /** The time of a check, and the starts of the windows at that time. */
  public record Moment(
      Instant now,
      LocalDate day,
      Instant dayEnds,
      int usedToday,
      Instant graceEdge,
      Instant publishEdge,
      Instant storeEdge) {
    /** The moment after one more fetch. */
    public Moment afterOne() {
      return withUsedToday(usedToday + 1);
    }

    /** The moment with another count of fetches. */
    public Moment withUsedToday(int used) {
      return new Moment(now, day, dayEnds, used, graceEdge, publishEdge, storeEdge);
    }
  }

  /**
   * The counts of fetched and published products within the windows.
   *
   * @param fetched products whose publish result is due
   * @param published those of them that were published
   * @param storeProducts products that count for the bound store
   * @param counted whether the requested product already counts for the store
   */
  public record Facts(int fetched, int published, int storeProducts, boolean counted) {
    /** The facts after one fetch of the requested product. */
    public Facts afterOne() {
      return new Facts(fetched, published, storeProducts + (counted ? 0 : 1), true);
    }
  }

  /** A merchant's account at the time of a check. */
  public record Account(Moment moment, Facts facts) {}

  private final Supplier<Optional<Instant>> fixedTime;

  /**
   * @param fixedTime replaces the database's clock in tests; otherwise empty
   */
  public DetailLimits(Supplier<Optional<Instant>> fixedTime) {
    this.fixedTime = fixedTime;
  }

  /** Locks the merchant's account until the transaction ends. */
  public static void hold(Connection connection, int merchantId) throws SQLException {
    DetailUsage.lock(connection, merchantId);
  }

  /**
   * Locks the merchant's account until the transaction ends, and reads in the same round trip.
   *
   * @param statement from {@link DetailUsage#beside}
   */
  public <T> T hold(
      Connection connection, Sql statement, Caller caller, int productId, Sql.RowReader<T> reader)
      throws SQLException {
    List<T> found = new ArrayList<>(1);
    on(connection, statement, caller.merchantId(), caller.boundStore(), productId, caller.limits())
        .forEachOfEach(_ -> {}, row -> found.add(reader.map(row)));
    return found.getFirst();
  }

  /** Reads the merchant's account without the lock, for reports. */
  public Account look(Connection connection, int merchantId, String store, Limits limits)
      throws SQLException {
    return on(connection, DetailUsage.LOOK, merchantId, store, 0, limits).one(DetailUsage::read);
  }

  private Sql.Call on(
      Connection connection,
      Sql statement,
      int merchantId,
      String store,
      int productId,
      Limits limits) {
    return DetailUsage.on(
        connection, statement, merchantId, store, productId, limits, fixedTime.get().orElse(null));
  }

  /** The limit that forbids another fetch; null if none does. */
  public @Nullable Problem problem(Connection connection, Caller caller, Moment moment, Facts facts)
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

  /** When to retry: when the count next drops by itself; for the publish share, in an hour. */
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

  /** How many more products must be published to reach the required share. */
  static int missing(Limits limits, Facts facts) {
    int needed =
        (int)
            Math.ceilDiv(
                (long) facts.fetched * limits.publishShare().part(), limits.publishShare().whole());
    return Math.max(0, needed - facts.published);
  }

  private static Instant storeOpens(Connection connection, Caller caller, Moment moment)
      throws SQLException {
    Instant opens =
        DetailUsage.storeOpens(
            connection, caller.merchantId(), caller.boundStore(), caller.limits(), moment);
    return opens == null ? moment.dayEnds : opens;
  }

  private static final Sql CHARGE =
      Sql.of(
          """
          with day as (
            update detail_usage set day = :day, used = :usedToday where merchant_id = :merchantId
          ), gone as (
            delete from store_product
            where merchant_id = :merchantId and bound_store = :store and last_at <= :storeEdge
              and product_id <> :productId
          ), account as (
            insert into store_usage (merchant_id, bound_store, products)
            values (:merchantId, :store, :storeProducts)
            on conflict (merchant_id, bound_store) do update set products = excluded.products
          ), store as (
            insert into store_product (merchant_id, bound_store, product_id, last_at)
            values (:merchantId, :store, :productId, :now)
            on conflict (merchant_id, bound_store, product_id) do update
            set last_at = excluded.last_at
          )
          insert into detail_fetch as f (merchant_id, product_id, first_at, last_at, published)
          values (:merchantId, :productId, :now, :now, exists (
            select 1 from publish_result
            where merchant_id = :merchantId and product_id = :productId and result = 'published'))
          on conflict (merchant_id, product_id) do update
          set first_at = case when f.last_at <= :publishEdge
                then excluded.first_at else f.first_at end,
              last_at = excluded.last_at
          """);

  /** Counts one fetch, with the commit, for the daily limit, the store limit and the share. */
  public void charge(
      Connection connection, Caller caller, int productId, Moment moment, Facts facts)
      throws SQLException {
    AtCommit.runLast(
        CHARGE
            .on(connection)
            .set("merchantId", caller.merchantId())
            .set("store", caller.boundStore())
            .set("productId", productId)
            .set("day", moment.day)
            .set("usedToday", moment.afterOne().usedToday)
            .set("storeProducts", facts.afterOne().storeProducts)
            .set("now", moment.now)
            .set("storeEdge", moment.storeEdge)
            .set("publishEdge", moment.publishEdge));
  }

  /** The usage of all three limits, for headers and reports. */
  public static List<Allowance> allowances(Limits limits, Moment moment, Facts facts) {
    long storeSeconds = Duration.between(moment.storeEdge, moment.now).toSeconds();
    return List.of(
        new Allowance(
            "detail-per-day", limits.detailPerDay(), moment.usedToday, 86_400, moment.dayEnds),
        new Allowance(
            "store-products", limits.storeProducts(), facts.storeProducts, storeSeconds, null));
  }
}
