package io.stockroom.core.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.cache.MerchantView.LogHead;
import io.stockroom.core.cache.MerchantView.Step;
import io.stockroom.core.database.CellReads;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the logs of the merchants whose answers are cached. Calls that pass it wait for one small
 * statement that starts after they arrived and that they share with all other waiting calls. It
 * returns where each merchant's log ends now. If a log has moved, a second statement returns the
 * changes since this node last asked. So what is cached afterwards is at least as new as the call,
 * on every node.
 *
 * <p>In each cell one barrier runs at a time, so views only move forward.
 */
final class Barrier {
  /** With more changes than these, dropping all answers of the merchant is cheaper. */
  static final int MAX_STEPS = 500;

  private static final int MAX_MERCHANTS = 20_000;

  private static final Sql HEADS =
      Sql.of(
          """
          select merchant_id, log_id, number, hash, last_change
          from log_head where merchant_id = any ((select :merchantIds::int[])::int[])
          """);

  /**
   * The head of each log that moved, the hash of the entry that was its head, and the changes. The
   * limits keep the planner from scanning tables that were small when it planned.
   */
  private static final Sql CHANGES =
      Sql.of(
          """
          select h.merchant_id, h.log_id, h.number, h.hash, h.last_change, b.hash as known_hash,
            c.product_id, c.is_stock, c.is_new
          from unnest((select :merchantIds::int[]), (select :entries::bigint[]),
              (select :changes::bigint[]))
            k (merchant_id, entry, change)
          join log_head h on h.merchant_id = k.merchant_id
          left join lateral (
            select hash from audit where merchant_id = k.merchant_id and number = k.entry limit 1
          ) b on true
          left join lateral (
            select product_id, kind = 'stock' as is_stock,
              array_position(quantities_before, null) is not null
                or array_position(quantities_after, null) is not null as is_new
            from change_log
            where merchant_id = k.merchant_id and number > k.change
            limit :max
          ) c on true
          """);

  /** What the statements found of one merchant. */
  private record Found(LogHead head, byte @Nullable [] knownHash, List<Step> steps) {
    /** Whether the log went on from {@code known}, and all changes since then were found. */
    boolean follows(LogHead known) {
      return head.logId().equals(known.logId())
          && knownHash != null
          && known.hasHash(knownHash)
          && head.lastChange() - known.lastChange() == steps.size();
    }
  }

  private final Cache<Integer, MerchantView> views =
      Caffeine.newBuilder().maximumSize(MAX_MERCHANTS).executor(Runnable::run).build();
  private final BiConsumer<Integer, Integer> dropStock;
  private final CellReads<Integer, @Nullable MerchantView> calls;
  private final DistributionSummary batches;

  /**
   * Makes a barrier.
   *
   * @param dropStock gets merchant and product of each product that changed
   */
  Barrier(Cells cells, MeterRegistry meters, BiConsumer<Integer, Integer> dropStock) {
    this.dropStock = dropStock;
    this.calls = cells.batchedInTurn(merchantId -> merchantId, this::follow);
    this.batches =
        DistributionSummary.builder("stockroom.cache.barrier.calls")
            .description("Calls that shared one statement that asks for the ends of logs")
            .register(meters);
  }

  /** Waits for the barrier; null if there is no such log. */
  @Nullable MerchantView pass(int merchantId) throws SQLException {
    return calls.get(merchantId);
  }

  /** As {@link #pass}, without waiting. */
  CompletableFuture<@Nullable MerchantView> submit(int merchantId) {
    return calls.submit(merchantId);
  }

  /** The view of the last time somebody passed; null if there is none. */
  @Nullable MerchantView last(int merchantId) {
    return views.getIfPresent(merchantId);
  }

  private List<@Nullable MerchantView> follow(Connection connection, List<Integer> merchantIds)
      throws SQLException {
    batches.record(merchantIds.size());
    int[] distinct = merchantIds.stream().mapToInt(Integer::intValue).distinct().toArray();
    Map<Integer, Found> found = find(connection, distinct);
    Map<Integer, @Nullable MerchantView> current = HashMap.newHashMap(distinct.length);
    for (int merchantId : distinct) {
      current.put(merchantId, follow(merchantId, last(merchantId), found.get(merchantId)));
    }
    List<@Nullable MerchantView> passed = new ArrayList<>(merchantIds.size());
    for (Integer merchantId : merchantIds) {
      passed.add(current.get(merchantId));
    }
    return passed;
  }

  private @Nullable MerchantView follow(
      int merchantId, @Nullable MerchantView view, @Nullable Found found) {
    if (found == null) {
      views.invalidate(merchantId);
      return null;
    }
    if (view != null && found.head.isSame(view.head())) {
      return view;
    }
    if (view != null && found.follows(view.head())) {
      view.advance(found.head, found.steps, productId -> dropStock.accept(merchantId, productId));
      return view;
    }
    MerchantView fresh = new MerchantView(found.head);
    views.put(merchantId, fresh);
    return fresh;
  }

  private Map<Integer, Found> find(Connection connection, int[] merchantIds) throws SQLException {
    Map<Integer, Found> found = HashMap.newHashMap(merchantIds.length);
    HEADS
        .on(connection)
        .set("merchantIds", merchantIds)
        .forEach(
            row -> found.put(row.getInt("merchant_id"), new Found(head(row), null, List.of())));
    Map<Integer, LogHead> moved = new HashMap<>();
    for (Map.Entry<Integer, Found> each : found.entrySet()) {
      MerchantView view = last(each.getKey());
      if (view != null && !each.getValue().head.isSame(view.head())) {
        moved.put(each.getKey(), view.head());
      }
    }
    if (!moved.isEmpty()) {
      found.keySet().removeAll(moved.keySet());
      CHANGES
          .on(connection)
          .set("merchantIds", moved.keySet().stream().mapToInt(Integer::intValue).toArray())
          .set("entries", moved.values().stream().mapToLong(LogHead::entry).toArray())
          .set("changes", moved.values().stream().mapToLong(LogHead::lastChange).toArray())
          .set("max", MAX_STEPS)
          .forEach(row -> addChange(row, found));
    }
    return found;
  }

  private static void addChange(ResultSet row, Map<Integer, Found> found) throws SQLException {
    int merchantId = row.getInt("merchant_id");
    Found merchant = found.get(merchantId);
    if (merchant == null) {
      merchant = new Found(head(row), row.getBytes("known_hash"), new ArrayList<>());
      found.put(merchantId, merchant);
    }
    int productId = row.getInt("product_id");
    if (!row.wasNull()) {
      merchant.steps.add(new Step(productId, row.getBoolean("is_stock"), row.getBoolean("is_new")));
    }
  }

  private static LogHead head(ResultSet row) throws SQLException {
    return new LogHead(
        row.getObject("log_id", UUID.class),
        row.getLong("number"),
        row.getBytes("hash"),
        row.getLong("last_change"));
  }
}
