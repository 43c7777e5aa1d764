package io.stockroom.core.merchants;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the merchant's own data.
 *
 * @param changedAt when data last changed; null if never
 */
record MerchantSummary(int merchantId, int products, int withStock, @Nullable Instant changedAt) {
  static final MerchantSummary NONE = new MerchantSummary(0, 0, 0, null);

  private static final Sql FIND =
      Sql.of(
          """
          select m.merchant_id, m.products, (
              select coalesce(sum(with_stock), 0) from product_block b
              where b.merchant_id = m.merchant_id and b.level = 1) as with_stock, (
              select a.at from log_head h join audit a using (merchant_id, number)
              where h.merchant_id = m.merchant_id) as changed_at
          from merchant_data m where m.merchant_id = any (:merchantIds)
          """);

  /** Merchants of a cell that does not answer are missing. */
  static Map<Integer, MerchantSummary> find(Cells cells, Collection<Integer> merchantIds)
      throws SQLException {
    return cells
        .list(
            merchantIds,
            (connection, ofCell) ->
                FIND.on(connection)
                    .set("merchantIds", ofCell.toArray(Integer[]::new))
                    .list(MerchantSummary::read))
        .stream()
        .collect(Collectors.toMap(MerchantSummary::merchantId, summary -> summary));
  }

  private static MerchantSummary read(ResultSet row) throws SQLException {
    return new MerchantSummary(
        row.getInt("merchant_id"),
        row.getInt("products"),
        row.getInt("with_stock"),
        Sql.instantOrNull(row, "changed_at"));
  }
}
