package io.stockroom.core.catalogue;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The merchant's own view of its products: search by item number, title or stock, with keyset
 * pagination. Reads here count against no limit.
 */
public final class MerchantProducts {
  /**
   * A query for one page.
   *
   * @param text the start of an item number, or any part of a title; empty for all products
   * @param stock true for products with stock added, false for those without, null for all
   * @param after the page starts after this product; 0 if unused
   * @param before the page ends before this product; 0 if unused
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
   * @param total the number of all products; null for a search, which does not count them
   * @param after the key of the next page; null on the last page
   * @param before the key of the previous page; null on the first page
   * @param anyProducts whether the merchant has any product
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

  private static final Sql FIND =
      Sql.of(
          "select "
              + Detail.COLUMNS
              + " from "
              + Detail.TABLES
              + " where p.merchant_id = :merchantId and p.product_id = :productId");

  /** The detail of one product; null if this merchant does not have it. */
  public @Nullable Detail find(int merchantId, int productId) throws SQLException {
    return database.read(
        connection ->
            FIND.on(connection)
                .set("merchantId", merchantId)
                .set("productId", productId)
                .first(Detail::read));
  }

  private static final Sql ID_OF =
      Sql.of(
          """
          select product_id from product where merchant_id = :merchantId and art_no = :artNo
          """);

  /** The id of the product with this item number; null if this merchant does not have it. */
  public @Nullable Integer idOf(int merchantId, String artNo) throws SQLException {
    return database.<@Nullable Integer>read(
        connection ->
            ID_OF
                .on(connection)
                .set("merchantId", merchantId)
                .set("artNo", artNo)
                .first(row -> row.getInt("product_id")));
  }

  private static int total(Counts counts, @Nullable Boolean stock) {
    if (stock == null) {
      return counts.products;
    }
    return stock ? counts.withStock : counts.products - counts.withStock;
  }

  private static final Sql COUNTS =
      Sql.of(
          """
          select m.products, (
            select coalesce(sum(with_stock), 0) from product_block b
            where b.merchant_id = m.merchant_id and b.level = 1
          ) as with_stock from merchant_data m where m.merchant_id = :merchantId
          """);

  private static Counts counts(Connection connection, int merchantId) throws SQLException {
    Counts counts =
        COUNTS
            .on(connection)
            .set("merchantId", merchantId)
            .first(row -> new Counts(row.getInt("products"), row.getInt("with_stock")));
    return counts == null ? new Counts(0, 0) : counts;
  }

  private static List<Row> rows(Connection connection, int merchantId, Wanted wanted)
      throws SQLException {
    boolean backwards = wanted.before > 0;
    String text = wanted.text.toLowerCase(Locale.ROOT).replaceAll("([\\\\%_])", "\\\\$1");
    Sql.Call call =
        ProductSearch.statement(!text.isEmpty(), wanted.stock, backwards)
            .on(connection)
            .set("merchantId", merchantId)
            .set("key", backwards ? wanted.before : wanted.after)
            .set("limit", wanted.size + 1);
    if (!text.isEmpty()) {
      call.set("prefix", text + "%").set("substring", "%" + text + "%");
    }
    return call.list(MerchantProducts::read);
  }

  private static Row read(ResultSet row) throws SQLException {
    return new Row(
        row.getInt("product_id"),
        row.getString("art_no"),
        row.getString("title"),
        row.getString("pic"),
        row.getBigDecimal("price"),
        StockStatus.of(row.getBoolean("has_stock"), row.getLong("quantity"), row.getLong("least")),
        row.getLong("quantity"));
  }
}
