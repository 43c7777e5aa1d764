package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
          update product set has_stock = true
          where merchant_id = :merchantId and product_id = any (:productIds)
          """);

  private static final Sql COUNT =
      Sql.of(
          """
          update product_block set with_stock = with_stock + :added
          where merchant_id = :merchantId and level = :level and block = :block
          """);

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
    TreeMap<Block, Integer> added = new TreeMap<>(Block.LOCK_ORDER);
    for (ProductLocks.Locked product : products.values()) {
      for (int level = 0; level < SPANS.size(); level++) {
        added.merge(new Block(level, product.number() / SPANS.get(level)), 1, Integer::sum);
      }
    }
    MARK.on(connection)
        .set("merchantId", merchantId)
        .set("productIds", products.keySet().stream().mapToInt(Integer::intValue).toArray())
        .update();
    try (Sql.Batch batch = COUNT.batch(connection)) {
      for (Map.Entry<Block, Integer> stocked : added.entrySet()) {
        batch
            .set("added", stocked.getValue())
            .set("merchantId", merchantId)
            .set("level", stocked.getKey().level)
            .set("block", stocked.getKey().number)
            .add();
      }
      batch.run();
    }
  }
}
