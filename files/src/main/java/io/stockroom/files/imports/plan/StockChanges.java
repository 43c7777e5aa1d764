package io.stockroom.files.imports.plan;

import java.sql.SQLException;

/**
 * How the entries of products with stock change, in total. Each product has one row in {@code
 * import_touched}, so that nothing has to read all entries again to count them.
 *
 * @param fresh new entries
 * @param zeroed entries that become 0
 * @param jumps entries that grow or shrink more than ten times
 */
record StockChanges(long entries, long fresh, long zeroed, long jumps) {
  /** An entry of {@code import_stock} that grows or shrinks more than ten times. */
  static final String JUMPS =
      """
      old_quantity > 0 and quantity > 0
        and (quantity > old_quantity * 10::bigint or old_quantity > quantity * 10::bigint)
      """;

  /** Totals the staged changes of each product. */
  static void total(ImportTransaction transaction) throws SQLException {
    transaction
        .call(
            """
            insert into import_touched (item, entries, fresh, left_out, zeroed, jumps, gone, top)
            select item, count(*), count(*) filter (where place is null),
              count(*) filter (where key is null),
              count(*) filter (where quantity = 0 and old_quantity > 0),
              count(*) filter (where %s), sum(old_quantity - quantity), max(quantity)
            from import_stock group by item
            """
                .formatted(JUMPS))
        .update();
  }

  static StockChanges of(ImportTransaction transaction) throws SQLException {
    return transaction
        .call(
            """
            select coalesce(sum(entries), 0) as entries, coalesce(sum(fresh), 0) as fresh,
              coalesce(sum(zeroed), 0) as zeroed, coalesce(sum(jumps), 0) as jumps
            from import_touched
            """)
        .one(
            row ->
                new StockChanges(
                    row.getLong("entries"),
                    row.getLong("fresh"),
                    row.getLong("zeroed"),
                    row.getLong("jumps")));
  }
}
