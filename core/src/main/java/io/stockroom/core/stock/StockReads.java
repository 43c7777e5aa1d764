package io.stockroom.core.stock;

import io.stockroom.core.database.BatchedRead;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the stock entries of products; concurrent calls share a statement. */
public final class StockReads {
  private record Key(int merchantId, int productId) {}

  private record Entry(UUID guid, @Nullable String barCode, int colorNo, int size, int stock) {}

  /** Collects the rows of one product. */
  private static final class Found {
    private final List<Entry> entries = new ArrayList<>();
    private final List<String> colors = new ArrayList<>();

    List<StockList.Entry> named() {
      List<StockList.Entry> named = new ArrayList<>(entries.size());
      for (Entry entry : entries) {
        String color = colors.get(entry.colorNo);
        named.add(new StockList.Entry(entry.guid, entry.barCode, color, entry.size, entry.stock));
      }
      return named;
    }
  }

  /**
   * Reads colors second: each is older than its entries, so none is missing. They are numbered from
   * 0 without gaps, so the index in the list is the number.
   */
  private static final Sql ENTRIES_AND_COLORS =
      Sql.of(
          """
          select k.n, e.guid, e.barcode, e.color_no, e.size, e.quantity
          from unnest(:merchantIds::int[], :productIds::int[])
            with ordinality k (merchant_id, product_id, n)
          join product p on p.merchant_id = k.merchant_id and p.product_id = k.product_id
          left join stock_entry e on e.merchant_id = p.merchant_id and e.product_id = p.product_id
          order by k.n, e.color_no, e.size;
          select k.n, c.color
          from unnest(:merchantIds::int[], :productIds::int[])
            with ordinality k (merchant_id, product_id, n)
          join stock_color c on c.merchant_id = k.merchant_id and c.product_id = k.product_id
          order by k.n, c.color_no
          """);

  private final BatchedRead<Key, @Nullable List<StockList.Entry>> reads;

  public StockReads(Database database) {
    this.reads = database.batched(StockReads::read);
  }

  /**
   * The entries of a product, colors in the order they were added, sizes ascending; empty if it has
   * none, null if the merchant has no such product.
   */
  @Nullable List<StockList.Entry> of(int merchantId, int productId) throws SQLException {
    return reads.get(new Key(merchantId, productId));
  }

  private static List<@Nullable List<StockList.Entry>> read(Connection connection, List<Key> keys)
      throws SQLException {
    @Nullable Found[] found = new Found[keys.size()];
    ENTRIES_AND_COLORS
        .on(connection)
        .set("merchantIds", keys.stream().mapToInt(Key::merchantId).toArray())
        .set("productIds", keys.stream().mapToInt(Key::productId).toArray())
        .forEachOfEach(row -> addEntry(row, found), row -> addColor(row, found));
    List<@Nullable List<StockList.Entry>> answers = new ArrayList<>(found.length);
    for (Found product : found) {
      answers.add(product == null ? null : product.named());
    }
    return answers;
  }

  private static void addEntry(ResultSet row, @Nullable Found[] found) throws SQLException {
    int n = row.getInt(1) - 1;
    Found product = found[n];
    if (product == null) {
      product = new Found();
      found[n] = product;
    }
    UUID guid = row.getObject(2, UUID.class);
    if (guid != null) {
      product.entries.add(
          new Entry(guid, row.getString(3), row.getInt(4), row.getInt(5), row.getInt(6)));
    }
  }

  private static void addColor(ResultSet row, @Nullable Found[] found) throws SQLException {
    Found product = found[row.getInt(1) - 1];
    if (product != null) {
      product.colors.add(row.getString(2));
    }
  }
}
