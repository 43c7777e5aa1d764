package io.stockroom.core.limits;

import io.stockroom.core.database.AtCommit;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
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
   * @param results those of them that have a result that counts
   * @param storeProducts products that count for the bound store
   * @param counted whether the requested product already counts for the store
   */
  public record Facts(int fetched, int results, int storeProducts, boolean counted) {
    /** The facts after one fetch of the requested product. */
    public Facts afterOne() {
      return new Facts(fetched, results, storeProducts + (counted ? 0 : 1), true);
    }
  }

  /** A merchant's account at the time of a check. */
  public record Account(Moment moment, Facts facts) {
    /** The account after one fetch of the requested product. */
    public Account afterOne() {
      return new Account(moment.afterOne(), facts.afterOne());
    }
  }

  /** A fetch that is allowed, and the account after it. */
  public record Charge(Fetch fetch, Account after) {}

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
   * Locks the accounts of different merchants until the transaction ends, and reads in the same
   * round trip.
   *
   * @param waits whether to wait for an account that is locked, or to leave it out
   * @return what was read for each fetch, in their order; null if its account was left out
   */
  public <T> List<@Nullable T> hold(
      Connection connection,
      DetailUsage.Held statement,
      List<Fetch> fetches,
      boolean waits,
      Sql.RowReader<T> reader)
      throws SQLException {
    Set<Integer> locked = new HashSet<>();
    List<@Nullable T> found = new ArrayList<>();
    fetches.forEach(_ -> found.add(null));
    on(connection, waits ? statement.waiting() : statement.skipping(), fetches)
        .forEachOfEach(
            row -> locked.add(row.getInt("merchant_id")),
            row -> {
              if (locked.contains(row.getInt("merchant_id"))) {
                found.set(row.getInt("n") - 1, reader.map(row));
              }
            });
    return found;
  }

  /** Reads the merchant's account without the lock, for reports. */
  public Account look(Connection connection, Fetch fetch) throws SQLException {
    return on(connection, DetailUsage.LOOK, List.of(fetch)).one(DetailUsage::read);
  }

  private Sql.Call on(Connection connection, Sql statement, List<Fetch> fetches) {
    return DetailUsage.on(connection, statement, fetches, fixedTime.get().orElse(null));
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
          facts.results,
          facts.results + missing(limits, facts),
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
    return Math.max(0, needed - facts.results);
  }

  private static Instant storeOpens(Connection connection, Fetch fetch, Moment moment)
      throws SQLException {
    Instant opens = DetailUsage.storeOpens(connection, fetch, moment);
    return opens == null ? moment.dayEnds : opens;
  }

  /** Written so that the planner cannot read whole tables, whatever it thinks of their size. */
  private static final Sql CHARGE =
      Sql.of(
          """
          with k as materialized (
            select * from unnest(:merchantIds::int[], :stores::text[], :productIds::int[],
              :days::text[]::date[], :used::int[], :storeProducts::int[],
              :nows::text[]::timestamptz[], :storeEdges::text[]::timestamptz[],
              :publishEdges::text[]::timestamptz[])
              k (merchant_id, store, product_id, day, used, store_products, now, store_edge,
                publish_edge)
          ), day as (
            insert into detail_usage (merchant_id, day, used)
            select merchant_id, day, used from k
            on conflict (merchant_id) do update set day = excluded.day, used = excluded.used
          ), gone as (
            delete from store_product s using k
            where s.merchant_id = k.merchant_id and s.bound_store = k.store
              and s.last_at <= k.store_edge and s.product_id <> k.product_id
          ), account as (
            insert into store_usage (merchant_id, bound_store, products)
            select merchant_id, store, store_products from k
            on conflict (merchant_id, bound_store) do update set products = excluded.products
          ), store as (
            insert into store_product (merchant_id, bound_store, product_id, last_at)
            select merchant_id, store, product_id, now from k
            on conflict (merchant_id, bound_store, product_id) do update
            set last_at = excluded.last_at
          )
          insert into detail_fetch as f
            (merchant_id, product_id, first_at, last_at, reported, published)
          select k.merchant_id, k.product_id, k.now, k.now, r.result is not null,
            coalesce(r.result = 'published', false)
          from k
          left join lateral (
            select r.result from publish_result r
            where r.merchant_id = k.merchant_id and r.product_id = k.product_id
            order by r.result = 'published' desc limit 1
          ) r on true
          on conflict (merchant_id, product_id) do update
          set first_at = case
                when f.last_at <= (
                  select publish_edge from k where k.merchant_id = excluded.merchant_id)
                then excluded.first_at else f.first_at end,
              last_at = excluded.last_at
          """);

  /**
   * Counts fetches of different merchants, with the commit, for the daily limit, the store limit
   * and the share.
   */
  public void charge(Connection connection, List<Charge> charges) throws SQLException {
    AtCommit.runLast(
        CHARGE
            .on(connection)
            .set("merchantIds", ints(charges, charge -> charge.fetch.merchantId))
            .set("stores", DetailUsage.texts(charges, charge -> charge.fetch.store))
            .set("productIds", ints(charges, charge -> charge.fetch.productId))
            .set("days", DetailUsage.texts(charges, charge -> charge.after.moment.day))
            .set("used", ints(charges, charge -> charge.after.moment.usedToday))
            .set("storeProducts", ints(charges, charge -> charge.after.facts.storeProducts))
            .set("nows", DetailUsage.texts(charges, charge -> charge.after.moment.now))
            .set("storeEdges", DetailUsage.texts(charges, charge -> charge.after.moment.storeEdge))
            .set(
                "publishEdges",
                DetailUsage.texts(charges, charge -> charge.after.moment.publishEdge)));
  }

  private static int[] ints(List<Charge> charges, ToIntFunction<Charge> value) {
    return charges.stream().mapToInt(value).toArray();
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
