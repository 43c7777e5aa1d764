package io.stockroom.server.imports;

import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The ids of new products. A sequence gives each id once and takes none back, so a merchant is
 * given ids in a transaction of its own and uses them in the one that writes: where that is undone,
 * they wait for the merchant's next import.
 */
final class ProductIds {
  private static final io.stockroom.server.database.Sql RESERVE =
      io.stockroom.server.database.Sql.of(
          """
          select min(id) as first, max(id) as last
          from (
            select id, id - row_number() over (order by id) as gap
            from (select nextval('product_id')::int as id from generate_series(1, :count)) given
          ) numbered
          group by gap
          """);

  private static final io.stockroom.server.database.Sql ADD_RANGE =
      io.stockroom.server.database.Sql.of(
          """
          insert into product_id_range (merchant_id, first_id, last_id)
          values (:merchantId, :first, :last)
          """);

  private record Range(int first, int last) {
    private static Range read(ResultSet row) throws SQLException {
      return new Range(row.getInt("first"), row.getInt("last"));
    }
  }

  private final Database database;
  private final int merchantId;

  ProductIds(Database database, int merchantId) {
    this.database = database;
    this.merchantId = merchantId;
  }

  /** Makes sure that the merchant has at least {@code count} ids. */
  void reserve(long count) throws SQLException {
    database.write(
        connection -> {
          long missing = count - present(connection);
          return missing <= 0 ? 0 : add(connection, missing);
        });
  }

  private long present(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select coalesce(sum(last_id - first_id + 1), 0) from product_id_range
            where merchant_id = ?
            """)) {
      statement.setInt(1, merchantId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** Others may take ids at the same moment, so what comes may lie in several ranges. */
  private int add(Connection connection, long count) throws SQLException {
    try (Statement patience = connection.createStatement()) {
      patience.execute("set local statement_timeout = '5min'");
    }
    List<Range> ranges = RESERVE.on(connection).set("count", count).list(Range::read);
    try (var batch = ADD_RANGE.batch(connection)) {
      for (Range range : ranges) {
        batch.set("merchantId", merchantId).set("first", range.first).set("last", range.last).add();
      }
      batch.run();
    }
    return ranges.size();
  }

  /** Gives new products the lowest ids and the next numbers, in the order of the file. */
  void use(Sql sql, long count) throws SQLException {
    int given =
        sql.run(
            """
            with wanted as (
              select item, row_number() over (order by row) as place
              from import_item where fresh and not bad
            ), given as (
              select id, row_number() over (order by id) as place
              from product_id_range r
              cross join generate_series(r.first_id, least(r.last_id, r.first_id::bigint + ? - 1)) id
              where r.merchant_id = ?
            )
            update import_item i set product_id = g.id,
              number = (select products from merchant_data where merchant_id = ?) + w.place - 1
            from wanted w join given g using (place)
            where i.item = w.item
            """,
            count,
            merchantId,
            merchantId);
    if (given != count) {
      throw new IllegalStateException(count + " products and " + given + " ids");
    }
    int last = (int) sql.number("select max(product_id) from import_item where fresh and not bad");
    sql.run(
        "delete from product_id_range where merchant_id = ? and last_id <= ?", merchantId, last);
    sql.run(
        """
        update product_id_range set first_id = ? + 1
        where merchant_id = ? and first_id <= ?
        """,
        last,
        merchantId,
        last);
  }
}
