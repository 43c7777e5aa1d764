package io.stockroom.server.stock;

import io.stockroom.server.database.BatchedRead;
import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the stock entries of products, for all who ask at the same time together. */
public final class StockReads {
  private record Key(int merchantId, int productId) {}

  private record Entry(UUID guid, @Nullable String barCode, int colourNo, int size, int stock) {}

  /** What is found of one product while the answers are read. */
  private static final class Found {
    private final List<Entry> entries = new ArrayList<>();
    private final List<String> colours = new ArrayList<>();

    List<StockList.Entry> named() {
      List<StockList.Entry> named = new ArrayList<>(entries.size());
      for (Entry entry : entries) {
        String colour = colours.get(entry.colourNo);
        named.add(new StockList.Entry(entry.guid, entry.barCode, colour, entry.size, entry.stock));
      }
      return named;
    }
  }

  /**
   * Colours are asked for second: each is older than its entries, so none is missing. They are
   * numbered from 0 without gaps, so the place in the list is the number.
   */
  private static final String ENTRIES_AND_COLOURS =
      """
      select k.n, e.guid, e.barcode, e.colour_no, e.size, e.quantity
      from unnest(?::int[], ?::int[]) with ordinality k (merchant_id, product_id, n)
      join product p on p.merchant_id = k.merchant_id and p.product_id = k.product_id
      left join stock_entry e on e.merchant_id = p.merchant_id and e.product_id = p.product_id
      order by k.n, e.colour_no, e.size;
      select k.n, c.colour
      from unnest(?::int[], ?::int[]) with ordinality k (merchant_id, product_id, n)
      join stock_colour c on c.merchant_id = k.merchant_id and c.product_id = k.product_id
      order by k.n, c.colour_no
      """;

  private final BatchedRead<Key, @Nullable List<StockList.Entry>> reads;

  public StockReads(Database database) {
    this.reads = database.batched(StockReads::read);
  }

  /**
   * The entries of a product, colours as they came, sizes ascending; empty where none were added,
   * null where the merchant has no such product.
   */
  @Nullable List<StockList.Entry> of(int merchantId, int productId) throws SQLException {
    return reads.get(new Key(merchantId, productId));
  }

  private static List<@Nullable List<StockList.Entry>> read(Connection connection, List<Key> keys)
      throws SQLException {
    int[] merchants = keys.stream().mapToInt(Key::merchantId).toArray();
    int[] products = keys.stream().mapToInt(Key::productId).toArray();
    @Nullable Found[] found = new Found[keys.size()];
    try (PreparedStatement statement = connection.prepareStatement(ENTRIES_AND_COLOURS)) {
      statement.setObject(1, merchants);
      statement.setObject(2, products);
      statement.setObject(3, merchants);
      statement.setObject(4, products);
      statement.execute();
      readEntries(statement, found);
      statement.getMoreResults();
      readColours(statement, found);
    }
    List<@Nullable List<StockList.Entry>> answers = new ArrayList<>(found.length);
    for (Found product : found) {
      answers.add(product == null ? null : product.named());
    }
    return answers;
  }

  private static void readEntries(PreparedStatement statement, @Nullable Found[] found)
      throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        int n = rows.getInt(1) - 1;
        Found product = found[n];
        if (product == null) {
          product = new Found();
          found[n] = product;
        }
        UUID guid = rows.getObject(2, UUID.class);
        if (guid != null) {
          product.entries.add(
              new Entry(guid, rows.getString(3), rows.getInt(4), rows.getInt(5), rows.getInt(6)));
        }
      }
    }
  }

  private static void readColours(PreparedStatement statement, @Nullable Found[] found)
      throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        Found product = found[rows.getInt(1) - 1];
        if (product != null) {
          product.colours.add(rows.getString(2));
        }
      }
    }
  }
}
