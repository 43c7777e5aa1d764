package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections keep the plans of calls, because planning takes longer than running them. But a plan
 * that was made while a table was small, and reads it whole, must not be used when the table has
 * become large.
 */
class PlansTest {
  private static final int FEW = 60;
  private static final int MANY = 5_000;

  /** So many of each that every connection of the pool keeps its plans. */
  private static final int CALLS = 48;

  private static final Sql ROWS_READ_WHOLE =
      Sql.of(
          """
          select relname, seq_tup_read from pg_stat_user_tables
          where relname in ('product', 'product_detail', 'stock_color', 'stock_entry')
            and seq_tup_read > :atMost
          """);

  private static final String STATEMENTS =
      """
      select statement from pg_prepared_statements
      where statement ~ 'detail_usage|stock_entry|stock_color|call_rate|product_block|unnest'
      """;

  private static final Sql KEPT = Sql.of(STATEMENTS + "and generic_plans > 10");

  /** PostgreSQL tries five plans before it keeps one. */
  private static final Sql PLANNED_EACH_TIME = Sql.of(STATEMENTS + "and custom_plans > 10");

  @TempDir private Path folder;

  @Test
  void callsKeepTheirPlansUntilTheTablesHaveGrown() throws SQLException {
    DatabaseAddress address = OwnDatabase.withTables();
    try (Stockroom stockroom = Stockroom.start(folder, settings(address))) {
      TestMerchant merchant = TestMerchant.on(TestServer.of(stockroom));
      List<Integer> few = merchant.importedProducts(FEW);
      call(merchant, few);
      // the worst moment: from now on the planner knows how small the tables are
      execute(address, "analyze");
      call(merchant, few);
      Database database = stockroom.cells().of(merchant.id());
      assertThat(read(database, KEPT)).isNotEmpty();
      assertThat(read(database, PLANNED_EACH_TIME)).isEmpty();

      List<Integer> many = merchant.importedProducts(MANY);
      execute(address, "select pg_stat_reset()");
      call(merchant, many);
    }

    // connections count what they have read when they end; some of the import's is late, too
    assertThat(rowsReadWhole(address, 5L * MANY)).isEmpty();
  }

  private static List<String> read(Database database, Sql statement) throws SQLException {
    return database.read(connection -> statement.on(connection).list(row -> row.getString(1)));
  }

  private static Settings settings(DatabaseAddress address) {
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(address));
    settings.put("cache.size", "0");
    settings.put("limits.create-interval", "PT0S");
    settings.put("limits.detail-per-day", "1000000");
    return Settings.with(settings);
  }

  private static void call(TestMerchant merchant, List<Integer> pids) {
    Api api = merchant.application();
    IntStream.range(0, CALLS)
        .parallel()
        .map(n -> pids.get(n * (pids.size() / FEW) % pids.size()))
        .forEach(
            pid -> {
              assertThat(api.create(Stock.one(pid, "red", "38", 5)).status()).isEqualTo(200);
              assertThat(api.stock(pid).success()).isTrue();
              assertThat(api.detail(pid).success()).isTrue();
              assertThat(api.products("page=1").success()).isTrue();
              assertThat(api.products("page=1&stock=true").success()).isTrue();
            });
  }

  private static void execute(DatabaseAddress address, String sql) throws SQLException {
    try (Database database = new Database(address, 1, new SimpleMeterRegistry())) {
      database.write(connection -> connection.createStatement().execute(sql));
    }
  }

  private static List<String> rowsReadWhole(DatabaseAddress address, long atMost)
      throws SQLException {
    try (Database database = new Database(address, 1, new SimpleMeterRegistry())) {
      return database.read(
          connection ->
              ROWS_READ_WHOLE
                  .on(connection)
                  .set("atMost", atMost)
                  .list(row -> row.getString(1) + " " + row.getLong(2)));
    }
  }
}
