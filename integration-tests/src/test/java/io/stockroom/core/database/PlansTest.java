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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections keep the plans of calls, because planning takes longer than running them. But a plan
 * that was made while a table was small, and reads it whole, must not be used when the table has
 * become large.
 */
class PlansTest {
  private static final int CALLS = 60;
  private static final int FEW = 60;
  private static final int MANY = 20_000;

  private static final String STATEMENTS =
      """
      select statement from pg_prepared_statements
      where statement ~ 'detail_usage|stock_entry|stock_color|call_rate|product_block|unnest'
      """;

  private static final Sql KEPT = Sql.of(STATEMENTS + "and generic_plans > 20");

  /** PostgreSQL tries five plans before it keeps one. */
  private static final Sql PLANNED_EACH_TIME = Sql.of(STATEMENTS + "and custom_plans > 20");

  private static final Sql PLAN = Sql.of("explain execute find(7)");
  private static final Sql INSERT =
      Sql.of("insert into grown select n, 'shoe' from generate_series(:from, :to) n");

  @Test
  void callsKeepTheirPlans(@TempDir Path folder) throws SQLException {
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(OwnDatabase.withTables()));
    settings.put("database.pool-size", "2");
    settings.put("cache.size", "0");
    settings.put("limits.create-interval", "PT0S");
    try (Stockroom stockroom = Stockroom.start(folder, Settings.with(settings))) {
      TestMerchant merchant = TestMerchant.on(TestServer.of(stockroom));
      int pid = merchant.product();
      for (int i = 0; i < CALLS; i++) {
        call(merchant.api(), pid, i);
      }
      Database database = stockroom.cells().of(merchant.id());

      assertThat(read(database, KEPT)).hasSizeGreaterThan(5);
      assertThat(read(database, PLANNED_EACH_TIME)).isEmpty();
    }
  }

  private static void call(Api api, int pid, int stock) {
    assertThat(api.create(Stock.one(pid, "red", "38", stock)).success()).isTrue();
    assertThat(api.stock(pid).success()).isTrue();
    assertThat(api.detail(pid).success()).isTrue();
    assertThat(api.products("page=1").success()).isTrue();
  }

  @Test
  void aTableThatHasGrownIsAnalyzedAndNoLongerReadWhole() throws SQLException {
    try (Database database = new Database(OwnDatabase.create(), 1, new SimpleMeterRegistry())) {
      execute(database, "create table grown (id int primary key, name text)");
      insert(database, 1, FEW);
      execute(database, "analyze grown");
      execute(database, "set plan_cache_mode = force_generic_plan");
      execute(database, "prepare find(int) as select name from grown where id = $1");
      assertThat(read(database, PLAN)).first().asString().contains("Seq Scan");
      insert(database, FEW + 1, MANY);

      // no more than there was
      database.analyzeGrown(List.of("grown"), FEW);
      assertThat(read(database, PLAN)).first().asString().contains("Seq Scan");
      database.analyzeGrown(List.of("grown"), FEW + 1);

      assertThat(read(database, PLAN)).first().asString().contains("Index Scan");
    }
  }

  private static void insert(Database database, int from, int to) throws SQLException {
    database.write(connection -> INSERT.on(connection).set("from", from).set("to", to).update());
  }

  private static void execute(Database database, String sql) throws SQLException {
    database.write(connection -> Sql.of(sql).on(connection).update());
  }

  private static List<String> read(Database database, Sql statement) throws SQLException {
    return database.read(connection -> statement.on(connection).list(row -> row.getString(1)));
  }
}
