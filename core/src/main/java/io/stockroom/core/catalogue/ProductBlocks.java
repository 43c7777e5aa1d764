package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Counts products in blocks of consecutive product numbers. A row of {@code product_block} stores
 * how many products its block has, and how many of them have stock. Adding up these counts finds a
 * filtered page without counting products.
 */
public final class ProductBlocks {
  private static final int FINE = 256;

  /** A coarse block covers this many fine blocks. */
  static final int FINE_PER_COARSE = 64;

  /** Product numbers per block, by level: fine blocks are level 0, coarse ones level 1. */
  public static final List<Integer> SPANS = List.of(FINE, FINE * FINE_PER_COARSE);

  /** A row of counts. Every transaction updates rows in this order, which prevents deadlocks. */
  private record Block(int level, int number) {
    private static final Comparator<Block> LOCK_ORDER =
        Comparator.comparingInt(Block::level).thenComparingInt(Block::number);
  }

  private static final Sql MARK =
      Sql.of(
          """
          update product set has_stock = :stocked
          where merchant_id = :merchantId and product_id = any (:productIds)
          """);

  private static final Sql COUNT =
      Sql.of(
          """
          update product_block
          set products = products + :products, with_stock = with_stock + :withStock
          where merchant_id = :merchantId and level = :level and block = :block
          """);

  private static final Sql ENSURE =
      Sql.of(
          """
          insert into product_block (merchant_id, level, block, products, with_stock)
          select distinct :merchantId, l.level, l.block, 0, 0
          from unnest(:numbers::int[]) as n (number) cross join lateral %s
          order by l.level, l.block
          on conflict do nothing
          """
              .formatted(levels("n.number")));

  /** What changes in the counts of a block. */
  private record Difference(int products, int withStock) {
    private Difference plus(Difference other) {
      return new Difference(products + other.products, withStock + other.withStock);
    }
  }

  private ProductBlocks() {}

  /** SQL for the blocks of a product number, one row for each level. */
  public static String levels(String number) {
    return "(values (0, %1$s / %2$d), (1, %1$s / %3$d)) as l (level, block)"
        .formatted(number, SPANS.getFirst(), SPANS.getLast());
  }

  /**
   * Marks products as stocked, and updates the counts of their blocks.
   *
   * @param products locked products without stock; at least one
   */
  public static void markStocked(
      Connection connection, int merchantId, Map<Integer, ProductLocks.Locked> products)
      throws SQLException {
    mark(connection, merchantId, products, true);
    count(connection, merchantId, products.values(), _ -> new Difference(0, 1));
  }

  /**
   * Marks products as not stocked, and updates the counts of their blocks.
   *
   * @param products locked products that had stock; at least one
   */
  public static void markUnstocked(
      Connection connection, int merchantId, Map<Integer, ProductLocks.Locked> products)
      throws SQLException {
    mark(connection, merchantId, products, false);
    count(connection, merchantId, products.values(), _ -> new Difference(0, -1));
  }

  /** Counts products that were just created or restored. */
  static void add(Connection connection, int merchantId, Collection<ProductLocks.Locked> products)
      throws SQLException {
    ENSURE
        .on(connection)
        .set("merchantId", merchantId)
        .set("numbers", products.stream().mapToInt(ProductLocks.Locked::number).toArray())
        .update();
    count(connection, merchantId, products, added -> new Difference(1, added.hasStock() ? 1 : 0));
  }

  /** No longer counts products that are being archived. */
  static void subtract(
      Connection connection, int merchantId, Collection<ProductLocks.Locked> products)
      throws SQLException {
    count(
        connection,
        merchantId,
        products,
        archived -> new Difference(-1, archived.hasStock() ? -1 : 0));
  }

  private static void mark(
      Connection connection,
      int merchantId,
      Map<Integer, ProductLocks.Locked> products,
      boolean stocked)
      throws SQLException {
    MARK.on(connection)
        .set("merchantId", merchantId)
        .set("stocked", stocked)
        .set("productIds", products.keySet().stream().mapToInt(Integer::intValue).toArray())
        .update();
  }

  private static void count(
      Connection connection,
      int merchantId,
      Collection<ProductLocks.Locked> products,
      Function<ProductLocks.Locked, Difference> difference)
      throws SQLException {
    TreeMap<Block, Difference> differences = new TreeMap<>(Block.LOCK_ORDER);
    for (ProductLocks.Locked product : products) {
      for (int level = 0; level < SPANS.size(); level++) {
        differences.merge(
            new Block(level, product.number() / SPANS.get(level)),
            difference.apply(product),
            Difference::plus);
      }
    }
    try (Sql.Batch batch = COUNT.batch(connection)) {
      for (Map.Entry<Block, Difference> counted : differences.entrySet()) {
        batch
            .set("products", counted.getValue().products)
            .set("withStock", counted.getValue().withStock)
            .set("merchantId", merchantId)
            .set("level", counted.getKey().level)
            .set("block", counted.getKey().number)
            .add();
      }
      batch.run();
    }
  }
}
