package io.stockroom.core.catalogue;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Which products became low or sold out, for notifications. */
public final class LowProducts {
  /** A product that is low or sold out now. */
  public record Low(int productId, String artNo, String title, StockStatus status) {}

  /**
   * What became low after a time.
   *
   * @param products sold-out products first; at most the requested number
   * @param total how many there are
   * @param until the time of the database up to which they are known: what to ask for next time
   */
  public record Found(List<Low> products, int total, Instant until) {
    public boolean isEmpty() {
      return products.isEmpty();
    }
  }

  private record Row(Low low, int total) {}

  /** Writers of summaries lock this row, so a reader that locks it sees all earlier summaries. */
  private static final Sql LOCK =
      Sql.of(
          """
          select 1 from product_summary_head where merchant_id = :merchantId for share
          """);

  private static final Sql NOW = Sql.of("select clock_timestamp() as at");

  /**
   * Sold-out products come first. Each half is read from the latest on, in an index's order, and
   * each product separately: otherwise the planner, which does not know how many there will be,
   * reads all products of the merchant.
   */
  private static final Sql SINCE =
      Sql.of(
          """
          select s.product_id, p.art_no, p.title, s.status, (
            select count(*) from product_summary
            where merchant_id = :merchantId and low_since > :from
          ) as total
          from (
            (
              select product_id, status, low_since from product_summary
              where merchant_id = :merchantId and low_since > :from and status = 'sold-out'
              order by low_since desc, product_id limit :limit
            ) union all (
              select product_id, status, low_since from product_summary
              where merchant_id = :merchantId and low_since > :from and status <> 'sold-out'
              order by low_since desc, product_id limit :limit
            )
          ) s
          cross join lateral (
            select art_no, title
            from product
            join product_detail using (merchant_id, product_id)
            where merchant_id = :merchantId and product_id = s.product_id
            limit 1
          ) p
          order by s.status = 'sold-out' desc, s.low_since desc, s.product_id
          limit :limit
          """);

  private final Cells cells;
  private final ProductSummaries summaries;

  public LowProducts(Cells cells) {
    this.cells = cells;
    this.summaries = new ProductSummaries(cells);
  }

  /** Brings the summaries up to date; false if a large change needs more time. */
  public boolean refresh(int merchantId) throws SQLException {
    return summaries.refresh(merchantId);
  }

  /** The time of the merchant's database. */
  public Instant now(int merchantId) throws SQLException {
    return cells.of(merchantId).read(LowProducts::now);
  }

  /** For a page: what became low after a time. */
  public Found since(int merchantId, Instant from, int limit) throws SQLException {
    return cells.of(merchantId).read(connection -> since(connection, merchantId, from, limit));
  }

  /** For a digest: asking again from {@link Found#until} misses nothing and repeats nothing. */
  public Found exactlySince(int merchantId, Instant from, int limit) throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              LOCK.on(connection).set("merchantId", merchantId).exists();
              return since(connection, merchantId, from, limit);
            });
  }

  private static Found since(Connection connection, int merchantId, Instant from, int limit)
      throws SQLException {
    Instant until = now(connection);
    List<Row> rows =
        SINCE
            .on(connection)
            .set("merchantId", merchantId)
            .set("from", from)
            .set("limit", limit)
            .list(
                row ->
                    new Row(
                        new Low(
                            row.getInt("product_id"),
                            row.getString("art_no"),
                            row.getString("title"),
                            StockStatus.named(row.getString("status"))),
                        row.getInt("total")));
    return new Found(
        rows.stream().map(Row::low).toList(), rows.isEmpty() ? 0 : rows.getFirst().total, until);
  }

  private static Instant now(Connection connection) throws SQLException {
    return NOW.on(connection).one(row -> Sql.instant(row, "at"));
  }
}
