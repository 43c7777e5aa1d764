package io.stockroom.core.catalogue;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Size;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is low or missing in a merchant's stock, at a glance. All counts are kept, not counted. */
public final class StockOverview {
  /** How many products have which status. */
  public record Counts(int products, int low, int soldOut, int noneYet) {
    public int inStock() {
      return products - low - soldOut - noneYet;
    }
  }

  /**
   * The entries of one product and size.
   *
   * @param colors how many colors come in this size
   */
  public record Cell(int colors, int soldOut, int low) {
    /** From 0 (nothing missing) to 4 (every color sold out): the shade of the cell. */
    public int level() {
      if (soldOut > 0) {
        return soldOut == colors ? 4 : 3;
      }
      return low == 0 ? 0 : low == colors ? 2 : 1;
    }
  }

  /** One product, with a cell for each size of the table; null where it does not come in a size. */
  public record MissingRow(int productId, String artNo, String title, List<@Nullable Cell> cells) {}

  /** The products that miss the most, with all of their sizes. */
  public record Missing(List<Size> sizes, List<MissingRow> rows) {}

  private static final Sql COUNTS =
      Sql.of(
          """
          select products, low, sold_out, none_yet from product_summary_head
          where merchant_id = :merchantId
          """);

  /**
   * Each product is read separately: otherwise the planner, which does not know how many there will
   * be, reads all products of the merchant.
   */
  private static final Sql MISSING =
      Sql.of(
          """
          with most as materialized (
            select product_id,
              row_number() over (order by sold_out_entries + low_entries desc, product_id desc)
                as place
            from product_summary
            where merchant_id = :merchantId and sold_out_entries + low_entries > 0
            order by sold_out_entries + low_entries desc, product_id desc
            limit :limit
          )
          select m.product_id, p.art_no, p.title, e.size_text, e.colors, e.sold_out, e.low
          from most m
          join merchant_data a on a.merchant_id = :merchantId
          cross join lateral (
            select art_no, title, below
            from product
            join product_detail using (merchant_id, product_id)
            left join low_stock_threshold using (merchant_id, product_id)
            where merchant_id = :merchantId and product_id = m.product_id
            limit 1
          ) p
          cross join lateral (
            select size, min(size_text) as size_text, count(*) as colors, count(*) filter (where quantity = 0) as sold_out,
              count(*) filter (
                where quantity > 0 and quantity < coalesce(p.below, a.low_below)) as low
            from stock_entry
            where merchant_id = :merchantId and product_id = m.product_id
            group by size
          ) e
          order by m.place, e.size
          """);

  private final Cells cells;
  private final ProductSummaries summaries;

  public StockOverview(Cells cells) {
    this.cells = cells;
    this.summaries = new ProductSummaries(cells);
  }

  /** Brings the counts up to date; false if that takes longer after a large change. */
  public boolean refresh(int merchantId) throws SQLException {
    return summaries.refresh(merchantId);
  }

  public Counts counts(int merchantId) throws SQLException {
    Counts counts =
        cells
            .of(merchantId)
            .read(
                connection ->
                    COUNTS
                        .on(connection)
                        .set("merchantId", merchantId)
                        .first(
                            row ->
                                new Counts(
                                    row.getInt("products"),
                                    row.getInt("low"),
                                    row.getInt("sold_out"),
                                    row.getInt("none_yet"))));
    return counts == null ? new Counts(0, 0, 0, 0) : counts;
  }

  private record Product(String artNo, String title, Map<Size, Cell> cells) {}

  public Missing missing(int merchantId, int limit) throws SQLException {
    Map<Integer, Product> products = new LinkedHashMap<>();
    Set<Size> sizes = new TreeSet<>();
    cells
        .of(merchantId)
        .read(
            connection -> {
              MISSING
                  .on(connection)
                  .set("merchantId", merchantId)
                  .set("limit", limit)
                  .forEach(
                      row -> {
                        String artNo = row.getString("art_no");
                        String title = row.getString("title");
                        sizes.add(Size.of(row.getString("size_text")));
                        products
                            .computeIfAbsent(
                                row.getInt("product_id"),
                                _ -> new Product(artNo, title, new TreeMap<>()))
                            .cells
                            .put(
                                Size.of(row.getString("size_text")),
                                new Cell(
                                    row.getInt("colors"),
                                    row.getInt("sold_out"),
                                    row.getInt("low")));
                      });
              return null;
            });
    List<MissingRow> rows =
        products.entrySet().stream()
            .map(
                each ->
                    new MissingRow(
                        each.getKey(),
                        each.getValue().artNo,
                        each.getValue().title,
                        cells(sizes, each.getValue().cells)))
            .toList();
    return new Missing(List.copyOf(sizes), rows);
  }

  private static List<@Nullable Cell> cells(Set<Size> sizes, Map<Size, Cell> cells) {
    List<@Nullable Cell> row = new ArrayList<>();
    sizes.forEach(size -> row.add(cells.get(size)));
    return row;
  }
}
