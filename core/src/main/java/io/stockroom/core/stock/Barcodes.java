package io.stockroom.core.stock;

import io.stockroom.core.catalogue.ProductLocks;
import io.stockroom.core.database.Sql;
import io.stockroom.core.stock.StockEntries.EntryKey;
import io.stockroom.core.stock.StockEntries.NewEntry;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps barcodes unique per merchant: finds those that a request would put on a second entry. */
final class Barcodes {
  private final Connection connection;
  private final int merchantId;
  private final List<NewEntry> coded;

  /**
   * @param coded the entries of the request that have a barcode, at least one
   */
  Barcodes(Connection connection, int merchantId, List<NewEntry> coded) {
    this.connection = connection;
    this.merchantId = merchantId;
    this.coded = coded;
  }

  /** Locks the merchant, so that its requests with barcodes run one after the other. */
  void lockMerchant() throws SQLException {
    ProductLocks.lockMerchant(connection, merchantId);
  }

  /**
   * Checks the state after the request: a barcode may move from one entry to another within one
   * request, and those of removed entries are free.
   */
  List<Problem> alreadyUsed(List<EntryKey> removed) throws SQLException {
    Map<String, EntryKey> owners = new HashMap<>();
    Map<EntryKey, String> next = new HashMap<>();
    coded.forEach(entry -> next.put(key(entry), String.valueOf(entry.barCode())));
    Set<EntryKey> freed = new HashSet<>(removed);
    for (Map.Entry<EntryKey, String> present : present().entrySet()) {
      boolean replaced = next.containsKey(present.getKey());
      if (!replaced && !freed.contains(present.getKey())) {
        owners.put(present.getValue(), present.getKey());
      }
    }
    List<Problem> problems = new ArrayList<>();
    for (NewEntry entry : coded) {
      String barCode = String.valueOf(entry.barCode());
      if (barCode.isEmpty()) {
        continue; // taken away
      }
      EntryKey own = key(entry);
      EntryKey owner = owners.putIfAbsent(barCode, own);
      if (owner != null && !owner.equals(own)) {
        problems.add(
            Problem.of(
                "barCode",
                ErrorCode.BARCODE_USED,
                barCode,
                own.productId(),
                own.color(),
                own.size(),
                owner.productId(),
                owner.color(),
                owner.size()));
      }
    }
    return problems;
  }

  private static final Sql PRESENT =
      Sql.of(
          """
          select e.product_id, c.color, e.size_text, e.barcode
          from stock_entry e
          join stock_color c using (merchant_id, product_id, color_no)
          where e.merchant_id = :merchantId and e.barcode = any (:barcodes)
          """);

  private Map<EntryKey, String> present() throws SQLException {
    Map<EntryKey, String> present = new HashMap<>();
    PRESENT
        .on(connection)
        .set("merchantId", merchantId)
        .set("barcodes", coded.stream().map(NewEntry::barCode).toArray(String[]::new))
        .forEach(
            row ->
                present.put(
                    new EntryKey(
                        row.getInt("product_id"),
                        row.getString("color"),
                        Size.of(row.getString("size_text"))),
                    row.getString("barcode")));
    return present;
  }

  private static EntryKey key(NewEntry entry) {
    return new EntryKey(entry.productId(), entry.color(), entry.size());
  }
}
