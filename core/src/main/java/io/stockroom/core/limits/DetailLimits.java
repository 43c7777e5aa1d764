package io.stockroom.core.limits;

import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.PublishCounts;
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
  /** A product whose detail somebody wants to fetch for a store. */
  public record Fetch(int merchantId, String store, int productId, Limits limits) {}

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
   * The counts of products within the windows.
   *
   * @param fetched products whose publish result is due
   * @param reported those of them that have a result of any kind
   * @param published those of them that are published in a store
   * @param storeProducts products that count for the bound store
   * @param counted whether the requested product already counts for the store
   */
  public record Facts(
      int fetched, int reported, int published, int storeProducts, boolean counted) {
    /** The products whose publish result is due and that have one that counts. */
    int results(Limits limits) {
      return limits.publishCounts() == PublishCounts.PUBLISHED ? published : reported;
    }

    /** The facts after one fetch of the requested product. */
    public Facts afterOne() {
      return new Facts(fetched, reported, published, storeProducts + (counted ? 0 : 1), true);
    }
  }

  /**
   * A merchant's account at the time of a check.
   *
   * @param hasAged whether a product has entered or left a window since the account was saved
   */
  public record Account(Moment moment, Facts facts, boolean hasAged) {
    /** The account after one fetch of the requested product. */
    public Account afterOne() {
      return new Account(moment.afterOne(), facts.afterOne(), hasAged);
    }
  }

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
  public <T> T hold(Connection connection, Sql statement, Fetch fetch, Sql.RowReader<T> reader)
      throws SQLException {
    List<T> found = new ArrayList<>(1);
    DetailUsage.on(connection, statement, fetch, fixedTime.get().orElse(null))
        .forEachOfEach(_ -> {}, row -> found.add(reader.map(row)));
    return found.getFirst();
  }

  /** Reads the merchant's account without the lock, for reports. */
  public Account look(Connection connection, Fetch fetch) throws SQLException {
    return DetailUsage.look(connection, fetch, fixedTime.get().orElse(null));
  }

  /** The limit that forbids another fetch; null if none does. */
  public @Nullable Problem problem(Connection connection, Fetch fetch, Account account)
      throws SQLException {
    Limits limits = fetch.limits;
    Moment moment = account.moment;
    Facts facts = account.facts;
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
          facts.results(limits),
          facts.results(limits) + missing(limits, facts),
          limits.publishShare(),
          missing(limits, facts),
          limits.publishCounts() == PublishCounts.PUBLISHED
              ? "published"
              : "with a publish result");
    }
    if (!facts.counted && facts.storeProducts >= limits.storeProducts()) {
      return Problem.of(
          "",
          ErrorCode.STORE_PRODUCTS,
          fetch.store,
          facts.storeProducts,
          limits.storeProducts(),
          limits.storeWindow(),
          storeOpens(connection, fetch, moment));
    }
    return null;
  }

  /** When to retry: when the count next drops by itself; for the publish share, in an hour. */
  public Instant retryAt(Connection connection, Fetch fetch, Moment moment, ErrorCode code)
      throws SQLException {
    return switch (code) {
      case DETAIL_PER_DAY -> moment.dayEnds;
      case STORE_PRODUCTS -> storeOpens(connection, fetch, moment);
      default -> moment.now.plus(Duration.ofHours(1));
    };
  }

  static boolean isJudged(Limits limits, Facts facts) {
    return facts.fetched >= limits.publishMinimum();
  }

  /** How many more products need a result that counts to reach the required share. */
  static int missing(Limits limits, Facts facts) {
    int needed =
        (int)
            Math.ceilDiv(
                (long) facts.fetched * limits.publishShare().part(), limits.publishShare().whole());
    return Math.max(0, needed - facts.results(limits));
  }

  private static Instant storeOpens(Connection connection, Fetch fetch, Moment moment)
      throws SQLException {
    Instant opens = DetailUsage.storeOpens(connection, fetch, moment);
    return opens == null ? moment.dayEnds : opens;
  }

  private static final String SAVE =
      """
      update detail_usage set day = :day, used = :used, grace_edge = :graceEdge,
        publish_edge = :publishEdge, due = :due%s, due_reported = :reported%s,
        due_published = :published%s
      %s where merchant_id = :merchantId
      """;

  /** Products that have left the store's window. */
  private static final String EXPIRE =
      """
      with gone as (
        delete from store_product
        where merchant_id = :merchantId and bound_store = :store and last_at <= :storeEdge%s
      )
      """;

  /**
   * Keeps the row of the fetched product, because a statement cannot delete and write the same row.
   * With a grace of 0, the product's publish result is due at once.
   */
  private static final Sql CHARGE =
      Sql.of(
          EXPIRE.formatted(" and product_id <> :productId")
              + """
              , store as (
                insert into store_product (merchant_id, bound_store, product_id, last_at)
                values (:merchantId, :store, :productId, :now)
                on conflict (merchant_id, bound_store, product_id) do update
                set last_at = excluded.last_at
              ), account as (
                insert into store_usage (merchant_id, bound_store, products)
                values (:merchantId, :store, :storeProducts)
                on conflict (merchant_id, bound_store) do update set products = excluded.products
              ), result as (
                select count(*) > 0 as reported,
                  coalesce(bool_or(result = 'published'), false) as published
                from publish_result where merchant_id = :merchantId and product_id = :productId
              ), before as (
                select first_at <= :graceEdge and last_at > :publishEdge as is_due
                from detail_fetch where merchant_id = :merchantId and product_id = :productId
              ), fetched as (
                insert into detail_fetch as f
                  (merchant_id, product_id, first_at, last_at, reported, published)
                select :merchantId, :productId, :now, :now, reported, published from result
                on conflict (merchant_id, product_id) do update
                set first_at = case when f.last_at <= :publishEdge
                      then excluded.first_at else f.first_at end,
                    last_at = excluded.last_at
                returning first_at, reported, published
              ), change as (
                select (f.first_at <= :graceEdge)::int - coalesce(b.is_due, false)::int as due,
                  f.reported::int as reported, f.published::int as published
                from fetched f left join before b on true
              )
              """
              + SAVE.formatted(
                  " + c.due", " + c.due * c.reported", " + c.due * c.published", "from change c"));

  /** Counts a fetch for the daily limit, the store limit and the share. */
  public void charge(Connection connection, Fetch fetch, Account before) throws SQLException {
    save(CHARGE.on(connection), fetch, before.afterOne())
        .set("productId", fetch.productId)
        .set("now", before.moment.now)
        .update();
  }

  private static final Sql KEEP =
      Sql.of(
          EXPIRE.formatted("")
              + """
              , account as (
                update store_usage set products = :storeProducts
                where merchant_id = :merchantId and bound_store = :store
              )
              """
              + SAVE.formatted("", "", "", ""));

  /** Saves what has aged, so that a merchant whose fetches are rejected does not count it again. */
  public void keep(Connection connection, Fetch fetch, Account account) throws SQLException {
    if (account.hasAged) {
      save(KEEP.on(connection), fetch, account).update();
    }
  }

  private static Sql.Call save(Sql.Call call, Fetch fetch, Account account) {
    Moment moment = account.moment;
    Facts facts = account.facts;
    return call.set("merchantId", fetch.merchantId)
        .set("store", fetch.store)
        .set("storeEdge", moment.storeEdge)
        .set("storeProducts", facts.storeProducts)
        .set("day", moment.day)
        .set("used", moment.usedToday)
        .set("graceEdge", moment.graceEdge)
        .set("publishEdge", moment.publishEdge)
        .set("due", facts.fetched)
        .set("reported", facts.reported)
        .set("published", facts.published);
  }

  /** The usage of all three limits, for headers and reports. */
  public static List<Allowance> allowances(Limits limits, Account account) {
    Moment moment = account.moment;
    long storeSeconds = Duration.between(moment.storeEdge, moment.now).toSeconds();
    return List.of(
        new Allowance(
            "detail-per-day", limits.detailPerDay(), moment.usedToday, 86_400, moment.dayEnds),
        new Allowance(
            "store-products",
            limits.storeProducts(),
            account.facts.storeProducts,
            storeSeconds,
            null));
  }
}
