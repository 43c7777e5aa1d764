package io.stockroom.server.catalogue;

import io.stockroom.server.database.Database;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The products of a merchant as its own people see them: found by item number, title or stock, and
 * paged by key. Looking at a product here counts against no limit.
 */
public final class MerchantProducts {
  /**
   * What to show.
   *
   * @param text the beginning of an item number or any part of a title; empty: everything
   * @param stock null: all products; true: those with stock added; false: those without
   * @param after the product after which the page begins, or 0
   * @param before the product before which the page ends, or 0
   */
  public record Wanted(String text, @Nullable Boolean stock, int after, int before, int size) {}

  public record Row(
      int id,
      String artNo,
      String title,
      String pic,
      BigDecimal price,
      StockStatus status,
      long quantity) {}

  /**
   * A page of products.
   *
   * @param total how many there are in all; null for a search, which does not count
   * @param after where the next page begins, or null where there is none
   * @param before where the page before this one ends, or null where there is none
   * @param anyProducts whether the merchant has a product at all
   */
  public record Page(
      List<Row> rows,
      @Nullable Integer total,
      @Nullable Integer after,
      @Nullable Integer before,
      boolean anyProducts) {}

  private record Counts(int products, int withStock) {}

  private final Database database;

  public MerchantProducts(Database database) {
    this.database = database;
  }

  public Page page(int merchantId, Wanted wanted) throws SQLException {
    return database.read(
        connection -> {
          Counts counts = counts(connection, merchantId);
          List<Row> rows = rows(connection, merchantId, wanted);
          boolean backwards = wanted.before > 0;
          boolean more = rows.size() > wanted.size;
          if (more) {
            rows.removeLast();
          }
          if (backwards) {
            Collections.reverse(rows);
          }
          boolean next = backwards || more;
          boolean previous = backwards ? more : wanted.after > 0;
          return new Page(
              rows,
              wanted.text.isEmpty() ? total(counts, wanted.stock) : null,
              next && !rows.isEmpty() ? rows.getLast().id : null,
              previous && !rows.isEmpty() ? rows.getFirst().id : null,
              counts.products > 0);
        });
  }

  /** Everything about one product, or null where this merchant has no such product. */
  public @Nullable Detail find(int merchantId, int productId) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select "
                      + Products.DETAIL_COLUMNS
                      + " from "
                      + Products.DETAIL_TABLES
                      + " where p.merchant_id = ? and p.product_id = ?")) {
            statement.setInt(1, merchantId);
            statement.setInt(2, productId);
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Detail.read(row) : null;
            }
          }
        });
  }

  private static int total(Counts counts, @Nullable Boolean stock) {
    if (stock == null) {
      return counts.products;
    }
    return stock ? counts.withStock : counts.products - counts.withStock;
  }

  private static Counts counts(Connection connection, int merchantId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select m.products, (
              select coalesce(sum(with_stock), 0) from product_block b
              where b.merchant_id = m.merchant_id and b.level = 1
            ) from merchant_data m where m.merchant_id = ?
            """)) {
      statement.setInt(1, merchantId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? new Counts(row.getInt(1), row.getInt(2)) : new Counts(0, 0);
      }
    }
  }

  private static List<Row> rows(Connection connection, int merchantId, Wanted wanted)
      throws SQLException {
    boolean backwards = wanted.before > 0;
    String text = wanted.text.toLowerCase(Locale.ROOT).replaceAll("([\\\\%_])", "\\\\$1");
    try (PreparedStatement statement =
        connection.prepareStatement(ProductSearch.sql(!text.isEmpty(), wanted.stock, backwards))) {
      int next = 1;
      int key = backwards ? wanted.before : wanted.after;
      if (!text.isEmpty()) {
        for (String pattern : List.of(text + "%", "%" + text + "%")) {
          statement.setInt(next++, merchantId);
          statement.setString(next++, pattern);
          statement.setInt(next++, key);
          statement.setInt(next++, wanted.size + 1);
        }
      } else {
        statement.setInt(next++, merchantId);
        statement.setInt(next++, merchantId);
        statement.setInt(next++, key);
      }
      statement.setInt(next++, wanted.size + 1);
      statement.setInt(next, merchantId);
      return read(statement);
    }
  }

  private static List<Row> read(PreparedStatement statement) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.add(
            new Row(
                row.getInt("product_id"),
                row.getString("art_no"),
                row.getString("title"),
                row.getString("pic"),
                row.getBigDecimal("price"),
                StockStatus.of(
                    row.getBoolean("has_stock"), row.getLong("quantity"), row.getLong("least")),
                row.getLong("quantity")));
      }
    }
    return rows;
  }
}
