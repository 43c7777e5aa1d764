package io.stockroom.core.limits;

import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.DetailLimits.Facts;
import io.stockroom.core.limits.DetailLimits.Moment;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Counts what was fetched and published within the windows. The counts are a table expression, so
 * that product detail reads them and the product in one round trip.
 */
public final class DetailFacts {
  private DetailFacts() {}

  private static final String FACTS =
      """
      with facts as (
        select p.fetched, p.published,
          coalesce((select products from store_usage
            where merchant_id = :merchantId and bound_store = :store), 0)
          - (select count(*) from store_product
              where merchant_id = :merchantId and bound_store = :store and last_at <= :storeEdge)
            as store_products,
          exists (select 1 from store_product
            where merchant_id = :merchantId and bound_store = :store
              and product_id = :productId and last_at > :storeEdge) as counted
        from (
          select count(*) as fetched, count(*) filter (where published) as published
          from detail_fetch
          where merchant_id = :merchantId and first_at <= :graceEdge and last_at > :publishEdge
        ) p
      )
      """;

  private static final Sql FIND = beside("select * from facts");

  /**
   * A statement that may read {@code facts}, a table of one row, and use the parameters {@code
   * :merchantId} and {@code :productId}. Run it with {@link #on} and read the row with {@link
   * #read}.
   */
  public static Sql beside(String select) {
    return Sql.of(FACTS + select);
  }

  /** Sets the parameters of a statement that {@link #beside} has made. */
  public static Sql.Call on(
      Connection connection,
      Sql statement,
      int merchantId,
      String store,
      int productId,
      Moment moment) {
    return statement
        .on(connection)
        .set("merchantId", merchantId)
        .set("store", store)
        .set("productId", productId)
        .set("storeEdge", moment.storeEdge())
        .set("graceEdge", moment.graceEdge())
        .set("publishEdge", moment.publishEdge());
  }

  public static Facts read(ResultSet row) throws SQLException {
    return new Facts(
        row.getInt("fetched"),
        row.getInt("published"),
        row.getInt("store_products"),
        row.getBoolean("counted"));
  }

  /** The facts alone. */
  static Facts find(
      Connection connection, int merchantId, String store, int productId, Moment moment)
      throws SQLException {
    return on(connection, FIND, merchantId, store, productId, moment).one(DetailFacts::read);
  }
}
