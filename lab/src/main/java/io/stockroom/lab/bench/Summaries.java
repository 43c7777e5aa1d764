package io.stockroom.lab.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The summaries of products for the console, which the server writes in the background. */
final class Summaries {
  /** As many changes as the server leaves to the next page of the console. */
  private static final int LEFT_TO_PAGES = 200;

  private static final String BEHIND =
      """
      select count(*) from log_head l
      left join product_summary_head s using (merchant_id)
      where l.last_change - coalesce(s.number, 0) > %d or s.rebuilt_to is not null
      """
          .formatted(LEFT_TO_PAGES);

  private Summaries() {}

  /**
   * Waits until changed products are summarized, such as all of a new marketplace; otherwise that
   * work would be part of the next measurement, be it of the server or of its twin.
   */
  static void await(ServerUnderTest server, Duration atMost)
      throws IOException, InterruptedException, SQLException {
    long deadline = System.nanoTime() + atMost.toNanos();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      while (isBehind(statement)) {
        if (System.nanoTime() - deadline > 0) {
          Bench.say("  products are still being summarized for the console, which takes CPU time");
          return;
        }
        Thread.sleep(Duration.ofMillis(200));
      }
    }
  }

  private static boolean isBehind(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(BEHIND)) {
      row.next();
      return row.getInt(1) > 0;
    }
  }
}
