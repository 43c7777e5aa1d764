package io.stockroom.core.merchants;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Rows;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.LimitSettings;
import io.stockroom.core.settings.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
        coalesce(sum(calls) filter (where status between 400 and 499), 0) as rejected,
        coalesce(sum(calls) filter (where status >= 500), 0) as failed
      from traffic where merchant_id > 0 and at >= :since
      group by merchant_id
      """;

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
          select u.merchant_id, '' as store, u.used, %s
          from detail_usage u join merchant_data m using (merchant_id)
          where u.used > 0 and u.day = (:now::timestamptz at time zone
            coalesce(m.limits ->> :zoneName, :zone))::date
          order by u.used desc limit 500
          """
              .formatted(MerchantSummary.LIMITS));

  private static final Sql STORES =
      Sql.of(
          """
          select u.merchant_id, u.bound_store as store, u.products as used, %s
          from store_usage u join merchant_data m using (merchant_id)
          where u.products > 0 order by u.products desc limit 500
          """
              .formatted(MerchantSummary.LIMITS));

  private static final Sql FAILING =
      Sql.of(
          """
          select merchant_id, url, state = 'disabled' as disabled, failing_since from webhook
          where state = 'failing' or disabled_reason in ('gone', 'failures', 'expired')
          order by failing_since desc nulls last limit :limit
          """);

  private final Database database;
  private final MerchantDirectory directory;
  private final DefaultLimits defaults;
  private final Clock clock;

  public MarketplaceOverview(
      Database database, MerchantDirectory directory, DefaultLimits defaults, Clock clock) {
    this.database = database;
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
        database.read(
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
    Map<Integer, String> names = names(busy.stream().map(Busy::merchantId));
    return busy.stream()
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

  private record Used(int merchantId, String store, int used, Map<String, String> limits) {}

  /** Daily product details and products per store of which at least four fifths are used. */
  public List<NearLimit> nearLimits() throws SQLException {
    Map<String, String> common = defaults.all();
    List<Used> details =
        database.read(
            connection ->
                DETAILS
                    .on(connection)
                    .set("now", clock.instant())
                    .set("zoneName", LimitSettings.ZONE.name())
                    .set("zone", defaults.with(common, Map.of()).zone().getId())
                    .list(MarketplaceOverview::used));
    List<Used> stores =
        database.read(connection -> STORES.on(connection).list(MarketplaceOverview::used));
    List<NearLimit> near = new ArrayList<>();
    details.forEach(each -> add(near, each, common, LimitSettings.DETAIL_PER_DAY.name(), true));
    stores.forEach(each -> add(near, each, common, LimitSettings.STORE_PRODUCTS.name(), false));
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
        MerchantSummary.limits(row));
  }

  private void add(
      List<NearLimit> near, Used used, Map<String, String> common, String limit, boolean daily) {
    Limits limits = defaults.with(common, used.limits);
    int allowed = daily ? limits.detailPerDay() : limits.storeProducts();
    if (used.used >= allowed * NEAR) {
      near.add(new NearLimit(used.merchantId, "", limit, used.store, used.used, allowed));
    }
  }

  /** Webhooks that fail or were disabled because of failures, the latest first. */
  public List<Failing> failingWebhooks() throws SQLException {
    List<Failing> failing =
        database.read(
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
                                Rows.instantOrNull(row, "failing_since"))));
    Map<Integer, String> names = names(failing.stream().map(Failing::merchantId));
    return failing.stream()
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
