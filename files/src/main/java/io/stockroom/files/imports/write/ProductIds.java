package io.stockroom.files.imports.write;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.plan.ImportTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Assigns ids to new products. A sequence never takes an id back, so the merchant reserves ids in a
 * transaction of its own. If the import rolls back, the merchant's next import uses them.
 */
public final class ProductIds {
  private static final Sql PRESENT =
      Sql.of(
          """
          select coalesce(sum(last_id - first_id + 1), 0) from product_id_range
          where merchant_id = :merchantId
          """);

  /** Other merchants take ids at the same time, so the new ids may form several ranges. */
  private static final Sql NEXT_IDS =
      Sql.of(
          """
          select min(id) as first, max(id) as last
          from (
            select id, id - row_number() over (order by id) as gap
            from (select nextval('product_id')::int as id from generate_series(1, :count)) given
          ) numbered
          group by gap
          """);

  private static final Sql ADD_RANGE =
      Sql.of(
          """
          insert into product_id_range (merchant_id, first_id, last_id)
          values (:merchantId, :first, :last)
          """);

  private record Range(int first, int last) {}

  private final Cells cells;
  private final int merchantId;

  public ProductIds(Cells cells, int merchantId) {
    this.cells = cells;
    this.merchantId = merchantId;
  }

  /** Reserves ids until the merchant has at least {@code count} ids. */
  void reserve(long count) throws SQLException {
    Database cell = cells.of(merchantId);
    long missing = count - cell.read(this::present);
    if (missing > 0) {
      List<Range> ranges = cells.directory().write(connection -> take(connection, missing));
      cell.write(connection -> add(connection, ranges));
    }
  }

  private long present(Connection connection) throws SQLException {
    return PRESENT.on(connection).set("merchantId", merchantId).one(row -> row.getLong(1));
  }

  /** Takes ids from the directory. Those that are lost with the process are never used. */
  private static List<Range> take(Connection connection, long count) throws SQLException {
    try (Statement timeout = connection.createStatement()) {
      timeout.execute("set local statement_timeout = '5min'");
    }
    return NEXT_IDS
        .on(connection)
        .set("count", count)
        .list(row -> new Range(row.getInt("first"), row.getInt("last")));
  }

  private int add(Connection connection, List<Range> ranges) throws SQLException {
    try (Sql.Batch batch = ADD_RANGE.batch(connection)) {
      for (Range range : ranges) {
        batch.set("merchantId", merchantId).set("first", range.first).set("last", range.last).add();
      }
      batch.run();
    }
    return ranges.size();
  }

  /**
   * Assigns the lowest reserved ids and the next numbers to new products, in the order of the file.
   */
  void use(ImportTransaction transaction, long count) throws SQLException {
    int given =
        transaction
            .call(
                """
            with wanted as (
              select item, row_number() over (order by row) as place
              from import_item where fresh and not bad
            ), given as (
              select id, row_number() over (order by id) as place
              from product_id_range r
              cross join generate_series(r.first_id, least(r.last_id, r.first_id::bigint + :count - 1)) id
              where r.merchant_id = :merchantId
            )
            update import_item i set product_id = g.id,
              number = (select products + archived from merchant_data where merchant_id = :merchantId) + w.place - 1
            from wanted w join given g using (place)
            where i.item = w.item
            """)
            .set("count", count)
            .set("merchantId", merchantId)
            .update();
    if (given != count) {
      throw new IllegalStateException(count + " products and " + given + " ids");
    }
    int last =
        (int) transaction.number("select max(product_id) from import_item where fresh and not bad");
    transaction
        .call("delete from product_id_range where merchant_id = :merchantId and last_id <= :last")
        .set("merchantId", merchantId)
        .set("last", last)
        .update();
    transaction
        .call(
            """
        update product_id_range set first_id = :last + 1
        where merchant_id = :merchantId and first_id <= :last
        """)
        .set("last", last)
        .set("merchantId", merchantId)
        .update();
  }
}
