package io.stockroom.core.stock;

import io.stockroom.core.catalogue.ProductBlocks;
import io.stockroom.core.catalogue.ProductLocks.Locked;
import io.stockroom.core.database.Sql;
import io.stockroom.core.stock.StockEntries.EntryKey;
import io.stockroom.core.stock.StockEntries.NewEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Entries that are removed from products, which the transaction has locked. */
final class RemovedEntries {
  /** Table expressions: moves the entries to {@code removed_entry} and adds them to the changes. */
  static final String REMOVE =
      """
      , gone as (
        delete from stock_entry e
        using unnest(:goneProducts::int[], :goneColors::smallint[], :goneSizes::text[])
          g (product_id, color_no, size)
        where e.merchant_id = :merchantId and e.product_id = g.product_id
          and e.color_no = g.color_no and e.size = g.size
        returning e.*
      ), remembered as (
        insert into removed_entry
          (merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode, archived)
        select merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode, false
        from gone
        on conflict (merchant_id, product_id, color_no, size) do update
        set size_text = excluded.size_text, quantity = excluded.quantity,
          barcode = excluded.barcode, archived = false
      ), changed as (
        select product_id, color_no, size, quantity_before, quantity_after, barcode_before,
          barcode_after
        from put
        union all
        select product_id, color_no, size, quantity, null, barcode, null from gone
      )
      """;

  /** The products that keep an entry. */
  private static final Sql REMAINING =
      Sql.of(
          """
          select p.product_id from unnest(:productIds::int[]) p (product_id)
          where exists (
            select 1 from stock_entry e
            where e.merchant_id = :merchantId and e.product_id = p.product_id
              and not exists (
                select 1
                from unnest(:goneProducts::int[], :goneColors::smallint[], :goneSizes::text[])
                  g (product_id, color_no, size)
                where g.product_id = e.product_id and g.color_no = e.color_no and g.size = e.size))
          """);

  private final Connection connection;
  private final int merchantId;
  private final int[] productIds;
  private final short[] colorNos;
  private final String[] sizes;

  RemovedEntries(
      Connection connection, int merchantId, List<EntryKey> removed, StockColors colors) {
    this.connection = connection;
    this.merchantId = merchantId;
    this.productIds = removed.stream().mapToInt(EntryKey::productId).toArray();
    this.colorNos = StockColors.shorts(removed, key -> colors.find(key.productId(), key.color()));
    this.sizes = removed.stream().map(key -> key.size().rank()).toArray(String[]::new);
  }

  /** Sets the parameters of {@link #REMOVE}. */
  Sql.Call name(Sql.Call call) {
    return call.set("goneProducts", productIds).set("goneColors", colorNos).set("goneSizes", sizes);
  }

  /**
   * Marks the products that will have no entries left.
   *
   * @param held the locked products
   * @param put the entries that the transaction writes besides
   */
  void markUnstocked(Map<Integer, Locked> held, List<NewEntry> put) throws SQLException {
    Set<Integer> remaining =
        new HashSet<>(
            name(REMAINING.on(connection))
                .set("merchantId", merchantId)
                .set("productIds", productIds)
                .list(row -> row.getInt(1)));
    put.forEach(entry -> remaining.add(entry.productId()));
    Map<Integer, Locked> emptied = new HashMap<>();
    for (int productId : productIds) {
      Locked product = held.get(productId);
      if (product != null && product.hasStock() && !remaining.contains(productId)) {
        emptied.put(productId, product);
      }
    }
    if (!emptied.isEmpty()) {
      ProductBlocks.markUnstocked(connection, merchantId, emptied);
    }
  }
}
