package io.stockroom.core.merchants;

import io.stockroom.core.access.MerchantLimits;
import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.LimitSettings;
import io.stockroom.core.settings.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an operator watches: busy merchants, limits that run out, webhooks that fail. */
public final class MarketplaceOverview {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final double NEAR = 0.8;
  private static final int MAX_ROWS = 10;

  /** The calls of one merchant in the last hour. */
  public record Busy(int merchantId, String name, long calls, long rejected, long failed) {
    public long errors() {
      return rejected + failed;
    }

    /** The share of calls with an error, in percent. */
    public int errorPercent() {
      return calls == 0 ? 0 : (int) (errors() * 100 / calls);
    }
  }

  /**
   * A limit of which little is left.
   *
   * @param limit its setting
   * @param store the bound store that the limit counts for; empty if it counts for the merchant
   */
  public record NearLimit(
      int merchantId, String name, String limit, String store, int used, int allowed) {
    public int percent() {
      return allowed == 0 ? 100 : (int) Math.min(100, used * 100L / allowed);
    }
  }

  /** A webhook that fails, or that was disabled because it failed. */
  public record Failing(
      int merchantId, String name, String url, boolean disabled, @Nullable Instant since) {}

  private static final String BUSY =
      """
      select merchant_id, sum(calls) as calls,
        coalesce(sum(calls) filter (where status < 500 and (code <> '' or status >= 400)), 0)
          as rejected,
        coalesce(sum(calls) filter (where status >= 500), 0) as failed
      from traffic where merchant_id > 0 and at >= :since and %s
      group by merchant_id
      """
          .formatted(AbsentMerchants.PRESENT);

  private static final Sql BY_CALLS =
      Sql.of(BUSY + "order by calls desc, merchant_id limit :limit");

  private static final Sql BY_ERRORS =
      Sql.of(
          "select * from ("
              + BUSY
              + """
              ) b where rejected + failed > 0
              order by rejected + failed desc, calls desc, merchant_id limit :limit
              """);

  /** The fullest come first; the limit of each decides whether it is near its end. */
  private static final Sql DETAILS =
      Sql.of(
          """
          select merchant_id, '' as store, used, day from detail_usage
          where used > 0 and day >= (:now::timestamptz at time zone 'UTC')::date - 1 and %s
          order by used desc limit 500
          """
              .formatted(AbsentMerchants.PRESENT));

  private static final Sql STORES =
      Sql.of(
          """
          select merchant_id, bound_store as store, products as used, null::date as day
          from store_usage where products > 0 and %s order by products desc limit 500
          """
              .formatted(AbsentMerchants.PRESENT));

  private static final Sql LIMITS =
      Sql.of("select merchant_id, limits from merchant where merchant_id = any (:merchantIds)");

  private static final Sql FAILING =
      Sql.of(
          """
          select merchant_id, url, state = 'disabled' as disabled, failing_since from webhook
          where (state = 'failing' or disabled_reason in ('gone', 'failures', 'expired')) and %s
          order by failing_since desc nulls last limit :limit
          """
              .formatted(AbsentMerchants.PRESENT));

  private final Cells cells;
  private final MerchantDirectory directory;
  private final DefaultLimits defaults;
  private final Clock clock;

  public MarketplaceOverview(
      Cells cells, MerchantDirectory directory, DefaultLimits defaults, Clock clock) {
    this.cells = cells;
    this.directory = directory;
    this.defaults = defaults;
    this.clock = clock;
  }

  /**
   * The merchants with the most calls in the last hour.
   *
   * @param byErrors those with the most errors instead
   */
  public List<Busy> busiest(boolean byErrors) throws SQLException {
    List<Busy> busy =
        cells.list(
            connection ->
                (byErrors ? BY_ERRORS : BY_CALLS)
                    .on(connection)
                    .set("since", clock.instant().minus(WINDOW))
                    .set("limit", MAX_ROWS)
                    .list(
                        row ->
                            new Busy(
                                row.getInt("merchant_id"),
                                "",
                                row.getLong("calls"),
                                row.getLong("rejected"),
                                row.getLong("failed"))));
    Comparator<Busy> order =
        byErrors
            ? Comparator.comparingLong(Busy::errors).thenComparingLong(Busy::calls)
            : Comparator.comparingLong(Busy::calls);
    List<Busy> busiest =
        busy.stream()
            .sorted(order.reversed().thenComparingInt(Busy::merchantId))
            .limit(MAX_ROWS)
            .toList();
    Map<Integer, String> names = names(busiest.stream().map(Busy::merchantId));
    return busiest.stream()
        .map(
            each ->
                new Busy(
                    each.merchantId,
                    names.getOrDefault(each.merchantId, ""),
                    each.calls,
                    each.rejected,
                    each.failed))
        .toList();
  }

  private record Used(int merchantId, String store, int used, @Nullable LocalDate day) {}

  /** Daily product details and products per store of which at least four fifths are used. */
  public List<NearLimit> nearLimits() throws SQLException {
    List<Used> details =
        cells.list(
            connection ->
                DETAILS.on(connection).set("now", clock.instant()).list(MarketplaceOverview::used));
    List<Used> stores =
        cells.list(connection -> STORES.on(connection).list(MarketplaceOverview::used));
    Map<Integer, Limits> limits =
        limits(Stream.concat(details.stream(), stores.stream()).map(Used::merchantId));
    List<NearLimit> near = new ArrayList<>();
    details.forEach(each -> add(near, each, limits, LimitSettings.DETAIL_PER_DAY.name()));
    stores.forEach(each -> add(near, each, limits, LimitSettings.STORE_PRODUCTS.name()));
    near.sort(Comparator.comparingInt(NearLimit::percent).reversed());
    List<NearLimit> fullest = near.stream().limit(MAX_ROWS).toList();
    Map<Integer, String> names = names(fullest.stream().map(NearLimit::merchantId));
    return fullest.stream()
        .map(
            each ->
                new NearLimit(
                    each.merchantId,
                    names.getOrDefault(each.merchantId, ""),
                    each.limit,
                    each.store,
                    each.used,
                    each.allowed))
        .toList();
  }

  private static Used used(ResultSet row) throws SQLException {
    return new Used(
        row.getInt("merchant_id"),
        row.getString("store"),
        row.getInt("used"),
        row.getObject("day", LocalDate.class));
  }

  private Map<Integer, Limits> limits(Stream<Integer> merchantIds) throws SQLException {
    Integer[] ids = merchantIds.distinct().toArray(Integer[]::new);
    Map<Integer, Limits> limits = new HashMap<>();
    Map<String, String> common = defaults.all();
    return cells
        .directory()
        .read(
            connection -> {
              LIMITS
                  .on(connection)
                  .set("merchantIds", ids)
                  .forEach(
                      row ->
                          limits.put(
                              row.getInt("merchant_id"),
                              defaults.with(common, MerchantLimits.read(row))));
              return limits;
            });
  }

  /** A day of the past counts for nothing. */
  private void add(List<NearLimit> near, Used used, Map<Integer, Limits> all, String limit) {
    Limits limits = all.get(used.merchantId);
    if (limits == null
        || (used.day != null
            && !used.day.equals(LocalDate.ofInstant(clock.instant(), limits.zone())))) {
      return;
    }
    int allowed = used.day == null ? limits.storeProducts() : limits.detailPerDay();
    if (used.used >= allowed * NEAR) {
      near.add(new NearLimit(used.merchantId, "", limit, used.store, used.used, allowed));
    }
  }

  /** Webhooks that fail or were disabled because of failures, the latest first. */
  public List<Failing> failingWebhooks() throws SQLException {
    List<Failing> failing =
        cells.list(
            connection ->
                FAILING
                    .on(connection)
                    .set("limit", MAX_ROWS)
                    .list(
                        row ->
                            new Failing(
                                row.getInt("merchant_id"),
                                "",
                                row.getString("url"),
                                row.getBoolean("disabled"),
                                Sql.instantOrNull(row, "failing_since"))));
    List<Failing> latest =
        failing.stream()
            .sorted(
                Comparator.comparing(
                        (Failing each) -> each.since == null ? Instant.MIN : each.since)
                    .reversed())
            .limit(MAX_ROWS)
            .toList();
    Map<Integer, String> names = names(latest.stream().map(Failing::merchantId));
    return latest.stream()
        .map(
            each ->
                new Failing(
                    each.merchantId,
                    names.getOrDefault(each.merchantId, ""),
                    each.url,
                    each.disabled,
                    each.since))
        .toList();
  }

  private Map<Integer, String> names(Stream<Integer> merchantIds) throws SQLException {
    return directory.names(merchantIds.distinct().toList());
  }
}
