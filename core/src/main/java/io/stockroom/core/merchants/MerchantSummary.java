package io.stockroom.core.merchants;

import io.stockroom.core.database.Rows;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the merchant's own data.
 *
 * @param limits the limits that the operator set for this merchant, which override the settings
 * @param changedAt when data last changed; null if never
 */
record MerchantSummary(
    int products, int withStock, Map<String, String> limits, @Nullable Instant changedAt) {
  static final MerchantSummary NONE = new MerchantSummary(0, 0, Map.of(), null);

  /** The columns that {@link #limits(ResultSet)} reads from a row of {@code merchant_data m}. */
  static final String LIMITS =
      """
      array(select key from jsonb_each_text(m.limits) order by key) as limit_names,
      array(select value from jsonb_each_text(m.limits) order by key) as limit_values
      """;

  private static final Sql FIND =
      Sql.of(
          """
          select m.merchant_id, m.products, (
              select coalesce(sum(with_stock), 0) from product_block b
              where b.merchant_id = m.merchant_id and b.level = 1) as with_stock, (
              select a.at from log_head h join audit a using (merchant_id, number)
              where h.merchant_id = m.merchant_id) as changed_at,
            %s
          from merchant_data m where m.merchant_id = any (:merchantIds)
          """
              .formatted(LIMITS));

  static Map<Integer, MerchantSummary> find(Connection connection, Collection<Integer> merchantIds)
      throws SQLException {
    Map<Integer, MerchantSummary> summaries = new HashMap<>();
    FIND.on(connection)
        .set("merchantIds", merchantIds.toArray(Integer[]::new))
        .forEach(
            row ->
                summaries.put(
                    row.getInt("merchant_id"),
                    new MerchantSummary(
                        row.getInt("products"),
                        row.getInt("with_stock"),
                        limits(row),
                        Rows.instantOrNull(row, "changed_at"))));
    return summaries;
  }

  static Map<String, String> limits(ResultSet row) throws SQLException {
    List<String> names = Rows.texts(row, "limit_names");
    List<String> values = Rows.texts(row, "limit_values");
    Map<String, String> limits = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      limits.put(names.get(i), values.get(i));
    }
    return limits;
  }
}
