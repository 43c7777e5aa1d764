package io.stockroom.core.stock;

import io.stockroom.core.catalogue.ProductBlocks;
import io.stockroom.core.catalogue.ProductLocks;
import io.stockroom.core.catalogue.ProductLocks.Locked;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the stock entries of merchants. */
public final class StockEntries {
  /** The most colors of one product. */
  public static final int MAX_COLORS = 1000;

  /**
   * The new state of an entry.
   *
   * @param barCode null keeps the barcode of an existing entry; empty removes it
   */
  public record NewEntry(
      int productId, String color, Size size, int quantity, @Nullable String barCode) {}

  /** Names an entry. */
  public record EntryKey(int productId, String color, Size size) {}

  private final boolean uniqueBarcodes;
  private final Guids guids;

  public StockEntries(Clock clock, boolean uniqueBarcodes) {
    this.guids = new Guids(clock);
    this.uniqueBarcodes = uniqueBarcodes;
  }

  /**
   * Creates the entries, or sets the quantity (and the barcode, if one is sent) of those that
   * exist, and records what changed in the change log and the audit log. Returns the business
   * failures; if there are any, nothing is written.
   *
   * <p>It locks the merchant (if barcodes are sent), then the products, as {@link ProductLocks}
   * prescribes, and last the head of the merchant's log.
   */
  public List<Problem> put(
      Connection connection, int merchantId, List<NewEntry> entries, Origin origin)
      throws SQLException {
    return put(connection, merchantId, entries, List.of(), origin);
  }

  /**
   * Like {@link #put(Connection, int, List, Origin)}, and removes other entries in the same batch.
   *
   * @param removed none of {@code entries}; those that do not exist are skipped
   */
  public List<Problem> put(
      Connection connection,
      int merchantId,
      List<NewEntry> entries,
      List<EntryKey> removed,
      Origin origin)
      throws SQLException {
    List<NewEntry> sorted =
        entries.stream()
            .sorted(Comparator.comparingInt(NewEntry::productId))
            .collect(Collectors.toCollection(ArrayList::new));
    Barcodes barcodes = barcodes(connection, merchantId, sorted);
    if (barcodes != null) {
      barcodes.lockMerchant();
    }
    TreeSet<Integer> productIds = new TreeSet<>();
    sorted.forEach(entry -> productIds.add(entry.productId()));
    removed.forEach(entry -> productIds.add(entry.productId()));
    StockColors colors = new StockColors(connection, merchantId, productIds);
    Map<Integer, Locked> held = colors.products();
    List<Problem> missing = missing(productIds, held);
    if (!missing.isEmpty()) {
      return missing;
    }
    if (barcodes != null) {
      List<Problem> used = barcodes.alreadyUsed(removed);
      if (!used.isEmpty()) {
        return used;
      }
    }
    List<Problem> tooMany = colors.add(sorted);
    if (!tooMany.isEmpty()) {
      return tooMany;
    }
    colors.insertNew(connection, merchantId);
    Map<Integer, Locked> stocked = new HashMap<>();
    for (NewEntry entry : sorted) {
      Locked product = held.get(entry.productId());
      if (product != null && !product.hasStock()) {
        stocked.put(entry.productId(), product);
      }
    }
    if (!stocked.isEmpty()) {
      ProductBlocks.markStocked(connection, merchantId, stocked);
    }
    Sql.Call upsert =
        upsert(connection, removed.isEmpty() ? UPSERT : UPSERT_AND_REMOVE, sorted, colors);
    if (!removed.isEmpty()) {
      RemovedEntries gone = new RemovedEntries(connection, merchantId, removed, colors);
      gone.markUnstocked(held, sorted);
      gone.name(upsert);
    }
    ChangeLog.record(upsert, merchantId, origin);
    return List.of();
  }

  /**
   * Locks what {@link #put} would, so that the caller can read the entries before it changes them.
   * Returns whether every product exists.
   */
  boolean hold(Connection connection, int merchantId, List<NewEntry> entries) throws SQLException {
    Barcodes barcodes = barcodes(connection, merchantId, entries);
    if (barcodes != null) {
      barcodes.lockMerchant();
    }
    Set<Integer> ids = entries.stream().map(NewEntry::productId).collect(Collectors.toSet());
    return missing(ids, ProductLocks.lockProducts(connection, merchantId, ids)).isEmpty();
  }

  /** Null where no barcode is sent, or barcodes need not be unique. */
  private @Nullable Barcodes barcodes(
      Connection connection, int merchantId, List<NewEntry> entries) {
    List<NewEntry> coded = entries.stream().filter(entry -> entry.barCode() != null).toList();
    return uniqueBarcodes && !coded.isEmpty() ? new Barcodes(connection, merchantId, coded) : null;
  }

  private static List<Problem> missing(Set<Integer> productIds, Map<Integer, Locked> held) {
    TreeSet<Integer> missing =
        productIds.stream()
            .filter(id -> !held.containsKey(id))
            .collect(Collectors.toCollection(TreeSet::new));
    if (missing.isEmpty()) {
      return List.of();
    }
    return List.of(Problem.of("pid", ErrorCode.PRODUCT_MISSING, List.copyOf(missing)));
  }

  /**
   * Skips an entry that stays as it is: it gets no new row version and no record in the history.
   * {@code lateral} makes the planner look up each entry by its key, so that it never reads all
   * entries of a large merchant.
   */
  private static final String PUT =
      """
          with put as (
            select g.product_id, g.color_no, g.size, coalesce(r.size_text, g.size_text) as size_text,
              coalesce(r.guid, g.guid) as guid,
              e.quantity as quantity_before,
              g.quantity as quantity_after, e.barcode as barcode_before,
              case when g.barcode is null then e.barcode else nullif(g.barcode, '') end
                as barcode_after
            from unnest(:productIds::int[], :colorNos::smallint[], :sizes::text[],
                :sizeTexts::text[], :quantities::int[], :guids::uuid[], :barcodes::text[])
              g (product_id, color_no, size, size_text, quantity, guid, barcode)
            left join lateral (
              select quantity, barcode from stock_entry
              where merchant_id = :merchantId and product_id = g.product_id
                and color_no = g.color_no and size = g.size
              limit 1
            ) e on true
            left join lateral (
              select guid, size_text from removed_entry
              where merchant_id = :merchantId and product_id = g.product_id
                and color_no = g.color_no and size = g.size
              limit 1
            ) r on e.quantity is null
            where e.quantity is distinct from g.quantity
              or (g.barcode is not null and nullif(g.barcode, '') is distinct from e.barcode)
          ), written as (
            insert into stock_entry
              (merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode)
            select :merchantId, product_id, color_no, size, size_text, quantity_after, guid,
              barcode_after
            from put
            on conflict (merchant_id, product_id, color_no, size) do update
            set quantity = excluded.quantity, barcode = excluded.barcode
          )
      """;

  private static final Sql UPSERT =
      ChangeLog.recordingStock(PUT + ", changed as (select * from put)");

  private static final Sql UPSERT_AND_REMOVE =
      ChangeLog.recordingStock(PUT + RemovedEntries.REMOVE);

  private Sql.Call upsert(
      Connection connection, Sql statement, List<NewEntry> entries, StockColors colors) {
    boolean coded = entries.stream().anyMatch(entry -> entry.barCode() != null);
    String[] barcodes =
        coded ? entries.stream().map(NewEntry::barCode).toArray(String[]::new) : new String[0];
    return statement
        .on(connection)
        .set("productIds", entries.stream().mapToInt(NewEntry::productId).toArray())
        .set("colorNos", StockColors.shorts(entries, colors::number))
        .set("sizes", entries.stream().map(entry -> entry.size().rank()).toArray(String[]::new))
        .set("sizeTexts", entries.stream().map(entry -> entry.size().text()).toArray(String[]::new))
        .set("quantities", entries.stream().mapToInt(NewEntry::quantity).toArray())
        .set("guids", guids.next(entries.size()))
        .set("barcodes", barcodes);
  }
}
