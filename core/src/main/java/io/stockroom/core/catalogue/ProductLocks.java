package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
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

  private static final String LOCK =
      """
      select product_id, number, has_stock from product
      where merchant_id = :merchantId and product_id = any (:lockedIds)
      order by product_id
      for no key update
      """;

  private static final Sql LOCK_PRODUCTS = Sql.of(LOCK);

  private ProductLocks() {}

  /** Serializes the writers that may change all products of a merchant. */
  public static void lockMerchant(Connection connection, int merchantId) throws SQLException {
    LOCK_MERCHANT.on(connection).set("merchantId", merchantId).exists();
  }

  /** Locks products; returns the existing ones by id. */
  public static Map<Integer, Locked> lockProducts(
      Connection connection, int merchantId, Collection<Integer> productIds) throws SQLException {
    Map<Integer, Locked> locked = new HashMap<>();
    on(LOCK_PRODUCTS.on(connection), merchantId, productIds).forEach(row -> add(row, locked));
    return locked;
  }

  /**
   * Puts the lock in front of a query, which sees what was committed before the lock was granted.
   * Run them with {@link #lockAndRead}.
   */
  public static Sql before(String query) {
    return Sql.of(LOCK + ";\n" + query);
  }

  /**
   * Locks products and reads in the same round trip; returns the existing products by id.
   *
   * @param call of statements from {@link #before}
   */
  public static Map<Integer, Locked> lockAndRead(
      Sql.Call call, int merchantId, Collection<Integer> productIds, Sql.RowConsumer reader)
      throws SQLException {
    Map<Integer, Locked> locked = new HashMap<>();
    on(call, merchantId, productIds).forEachOfEach(row -> add(row, locked), reader);
    return locked;
  }

  private static Sql.Call on(Sql.Call call, int merchantId, Collection<Integer> productIds) {
    return call.set("merchantId", merchantId)
        .set("lockedIds", productIds.stream().mapToInt(Integer::intValue).toArray());
  }

  private static void add(ResultSet row, Map<Integer, Locked> locked) throws SQLException {
    locked.put(
        row.getInt("product_id"), new Locked(row.getInt("number"), row.getBoolean("has_stock")));
  }
}
