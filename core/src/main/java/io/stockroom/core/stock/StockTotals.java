package io.stockroom.core.stock;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The total quantity of a product over time, from the log of changes. */
public final class StockTotals {
  private static final int MAX_CHANGES = 1000;

  /**
   * The total from a time on.
   *
   * @param before the total until then
   */
  public record Point(Instant at, long before, long total) {}

  private static final Sql CHANGES =
      Sql.of(
          """
          select c.at,
            (select coalesce(sum(q), 0) from unnest(c.quantities_after) q)
              - (select coalesce(sum(q), 0) from unnest(c.quantities_before) q) as difference,
            (select coalesce(sum(e.quantity), 0) from stock_entry e
             where e.merchant_id = :merchantId and e.product_id = :productId) as present
          from change_log c
          where c.merchant_id = :merchantId and c.product_id = :productId and c.kind = 'stock'
          order by c.number desc limit :limit
          """);

  private record Difference(Instant at, long difference, long present) {}

  private final Cells cells;

  public StockTotals(Cells cells) {
    this.cells = cells;
  }

  /**
   * One point for each of the newest changes, oldest first, counted back from the present total.
   */
  public List<Point> of(int merchantId, int productId) throws SQLException {
    List<Difference> newestFirst =
        cells
            .of(merchantId)
            .read(
                connection ->
                    CHANGES
                        .on(connection)
                        .set("merchantId", merchantId)
                        .set("productId", productId)
                        .set("limit", MAX_CHANGES)
                        .list(
                            row ->
                                new Difference(
                                    Sql.instant(row, "at"),
                                    row.getLong("difference"),
                                    row.getLong("present"))));
    List<Point> points = new ArrayList<>();
    long total = newestFirst.isEmpty() ? 0 : newestFirst.getFirst().present;
    for (Difference change : newestFirst) {
      points.add(new Point(change.at, total - change.difference, total));
      total -= change.difference;
    }
    return points.reversed();
  }
}
