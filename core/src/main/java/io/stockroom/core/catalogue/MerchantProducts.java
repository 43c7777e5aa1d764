package io.stockroom.core.catalogue;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Size;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The merchant's own view of its products: search, filters, sorting and pages. Reads here count
 * against no limit.
 */
public final class MerchantProducts {
  /**
   * A query for one page.
   *
   * @param number of the page, from 1; a page after the last one becomes the last one
   */
  public record Wanted(
      ProductFilter filter, ProductSort sort, boolean descending, int number, int size) {
    public static Wanted of(String text, int size) {
      return new Wanted(ProductFilter.search(text), ProductSort.ADDED, false, 1, size);
    }
  }

  public record Row(
      int id,
      String artNo,
      String title,
      String pic,
      BigDecimal price,
      StockStatus status,
      long quantity,
      @Nullable Instant changedAt) {}

  /**
   * A page of products.
   *
   * @param total how many products the filter accepts
   * @param more whether a search found too many to count them; then {@code total} is how many there
   *     are at least, and {@code pages} the next page
   * @param anyProducts whether the merchant has any product
   * @param current whether every change is in the list; false for a while after a large import
   */
  public record Page(
      List<Row> rows,
      int total,
      boolean more,
      int number,
      int pages,
      boolean anyProducts,
      boolean current) {}

  private final Cells cells;
  private final ProductSummaries summaries;

  public MerchantProducts(Cells cells) {
    this.cells = cells;
    this.summaries = new ProductSummaries(cells);
  }

  public Page page(int merchantId, Wanted wanted) throws SQLException {
    boolean current = summaries.refresh(merchantId);
    return cells
        .of(merchantId)
        .read(
            connection -> {
              boolean any = products(connection, merchantId) > 0;
              ProductSearch search = new ProductSearch(merchantId, wanted.filter).begin(connection);
              if (!search.isCounted()) {
                return uncounted(connection, search, wanted, current);
              }
              int total =
                  wanted.filter.isEmpty()
                      ? summarized(connection, merchantId)
                      : search.count(connection);
              int pages = Math.max(1, Math.ceilDiv(total, wanted.size));
              int number = Math.clamp(wanted.number, 1, pages);
              List<Row> rows = rows(connection, search, wanted, number, wanted.size);
              return new Page(rows, total, false, number, pages, any, current);
            });
  }

  /** A page of so many matches that they are not counted; knows only whether more follow. */
  private static Page uncounted(
      Connection connection, ProductSearch search, Wanted wanted, boolean current)
      throws SQLException {
    int number = Math.clamp(wanted.number, 1, ProductSearch.MAX_COUNTED / wanted.size + 1);
    List<Row> rows = rows(connection, search, wanted, number, wanted.size + 1);
    boolean more = rows.size() > wanted.size;
    if (more) {
      rows.removeLast();
    }
    int total = (number - 1) * wanted.size + rows.size();
    return new Page(rows, total, more, number, more ? number + 1 : number, true, current);
  }

  private static List<Row> rows(
      Connection connection, ProductSearch search, Wanted wanted, int number, int limit)
      throws SQLException {
    long offset = (number - 1L) * wanted.size;
    return search
        .page(connection, wanted.sort, wanted.descending, offset, limit)
        .list(MerchantProducts::read);
  }

  /** The ids of all products that the filter accepts, in the order of the interface. */
  public List<Integer> ids(int merchantId, ProductFilter filter) throws SQLException {
    var _ = summaries.refresh(merchantId);
    return cells
        .of(merchantId)
        .read(
            connection ->
                new ProductSearch(merchantId, filter).beginAll(connection).ids(connection));
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
    return cells
        .of(merchantId)
        .read(
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
    return cells
        .of(merchantId)
        .<@Nullable Integer>read(
            connection ->
                ID_OF
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("artNo", artNo)
                    .first(row -> row.getInt("product_id")));
  }

  /** An entry with a barcode. */
  public record Scanned(int productId, String artNo, String color, Size size) {}

  private static final Sql BARCODE =
      Sql.of(
          """
          select e.product_id, p.art_no, c.color, e.size_text from stock_entry e
          join product p using (merchant_id, product_id)
          join stock_color c using (merchant_id, product_id, color_no)
          where e.merchant_id = :merchantId and e.barcode = :barcode
          order by e.product_id, e.color_no, e.size limit 1
          """);

  /** The first entry with this barcode; null if there is none. */
  public @Nullable Scanned scanned(int merchantId, String barcode) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                BARCODE
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("barcode", barcode)
                    .first(
                        row ->
                            new Scanned(
                                row.getInt("product_id"),
                                row.getString("art_no"),
                                row.getString("color"),
                                Size.of(row.getString("size_text")))));
  }

  /** Skips from one category to the next in the index, however many products each has. */
  private static final Sql CATEGORIES =
      Sql.of(
          """
          with recursive each (category, number) as (
            (select category, 1 from product_summary
             where merchant_id = :merchantId and category > '' order by category limit 1)
            union all
            select (
              select s.category from product_summary s
              where s.merchant_id = :merchantId and s.category > each.category
              order by s.category limit 1
            ), number + 1
            from each where category is not null and number < :limit
          )
          select category from each where category is not null order by category
          """);

  /** The categories of a merchant's products, in alphabetical order; at most {@code limit}. */
  public List<String> categories(int merchantId, int limit) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                CATEGORIES
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("limit", limit)
                    .list(row -> row.getString("category")));
  }

  private static final Sql PRODUCTS =
      Sql.of("select products from merchant_data where merchant_id = :merchantId");

  private static int products(Connection connection, int merchantId) throws SQLException {
    Integer products =
        PRODUCTS
            .on(connection)
            .set("merchantId", merchantId)
            .<Integer>first(row -> row.getInt("products"));
    return products == null ? 0 : products;
  }

  private static final Sql SUMMARIZED =
      Sql.of("select products from product_summary_head where merchant_id = :merchantId");

  private static int summarized(Connection connection, int merchantId) throws SQLException {
    Integer products =
        SUMMARIZED
            .on(connection)
            .set("merchantId", merchantId)
            .<Integer>first(row -> row.getInt("products"));
    return products == null ? 0 : products;
  }

  private static Row read(ResultSet row) throws SQLException {
    return new Row(
        row.getInt("product_id"),
        row.getString("art_no"),
        row.getString("title"),
        row.getString("pic"),
        row.getBigDecimal("price"),
        StockStatus.named(row.getString("status")),
        row.getLong("quantity"),
        Sql.instantOrNull(row, "changed_at"));
  }
}
