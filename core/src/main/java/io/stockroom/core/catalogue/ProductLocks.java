package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The locks of all writers of products and stock. A writer locks the merchant first, if it needs
 * to, and then the products in the order of their ids, so writers cannot deadlock.
 */
public final class ProductLocks {
  /** A product locked by the transaction. */
  public record Locked(int number, boolean hasStock) {}

  private static final Sql LOCK_MERCHANT =
      Sql.of("select 1 from merchant_data where merchant_id = :merchantId for no key update");

  private static final Sql LOCK_PRODUCTS =
      Sql.of(
          """
          select product_id, number, has_stock from product
          where merchant_id = :merchantId and product_id = any (:productIds)
          order by product_id
          for no key update
          """);

  private ProductLocks() {}

  /** Serializes the writers that may change all products of a merchant. */
  public static void lockMerchant(Connection connection, int merchantId) throws SQLException {
    LOCK_MERCHANT.on(connection).set("merchantId", merchantId).exists();
  }

  /** Locks products; returns the existing ones by id. */
  public static Map<Integer, Locked> lockProducts(
      Connection connection, int merchantId, Collection<Integer> productIds) throws SQLException {
    Map<Integer, Locked> locked = new HashMap<>();
    LOCK_PRODUCTS
        .on(connection)
        .set("merchantId", merchantId)
        .set("productIds", productIds.stream().mapToInt(Integer::intValue).toArray())
        .forEach(row -> locked.put(row.getInt(1), new Locked(row.getInt(2), row.getBoolean(3))));
    return locked;
  }
}
