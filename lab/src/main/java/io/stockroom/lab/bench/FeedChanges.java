package io.stockroom.lab.bench;

import io.stockroom.core.changes.Cursor;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

/**
 * Changes of one entry each, in the log of the merchant with very many products.
 *
 * @param first the number of the first of them
 * @param count how many there are
 */
record FeedChanges(UUID logId, long first, int count) {
  static final FeedChanges NONE = new FeedChanges(new UUID(0, 0), 1, 1000);

  private static final int MAX_CHANGES = 3000;

  /** Imports a new quantity for each of these products. */
  static FeedChanges prepare(ServerUnderTest server, Marketplace market)
      throws IOException, InterruptedException, SQLException {
    int merchantId = market.firstMerchantId();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      StringBuilder rows = new StringBuilder("artNo,color,size,stock\n");
      long quantity = System.currentTimeMillis() / 1000 % 1_000_000;
      String products =
          "select art_no from product where merchant_id = %d and has_stock order by number limit %d"
              .formatted(merchantId, MAX_CHANGES);
      try (ResultSet row = statement.executeQuery(products)) {
        while (row.next()) {
          rows.append(
              "%s,%s,%d,%d\n"
                  .formatted(
                      row.getString(1),
                      market.colors().getFirst(),
                      Marketplace.FIRST_SIZE,
                      quantity));
        }
      }
      long before = head(statement, merchantId).first;
      var _ =
          server.admin(
              "merchants/%d/imports?name=feed.csv&apply=true&wait=true".formatted(merchantId),
              rows.toString());
      FeedChanges after = head(statement, merchantId);
      int count = (int) (after.first - before);
      if (count < 1000) {
        throw new BenchException("The import has made only %d changes.".formatted(count));
      }
      return new FeedChanges(after.logId, before + 1, count);
    }
  }

  /** The end of the log. */
  private static FeedChanges head(Statement statement, int merchantId) throws SQLException {
    String sql = "select log_id, last_change from log_head where merchant_id = " + merchantId;
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new FeedChanges(row.getObject(1, UUID.class), row.getLong(2), 0);
    }
  }

  /** The cursor behind the change with this number. */
  String cursor(long number) {
    return Cursor.of(logId, number).text();
  }

  Map<String, Long> variables() {
    return Map.of("feed_first", first, "feed_changes", (long) count);
  }
}
