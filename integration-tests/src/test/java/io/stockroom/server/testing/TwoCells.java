package io.stockroom.server.testing;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/**
 * A server with the cells {@code main} and {@code east}. A move that another node seems to drive
 * keeps all other moves waiting.
 */
public final class TwoCells implements AutoCloseable {
  private static final Sql HOLD =
      Sql.of(
          """
          insert into merchant_move (merchant_id, from_cell, to_cell, phase, rows_copied,
            rows_total, actor, announced_at, holder, lease_until)
          values (:merchantId, 1, 2, 'copying', 4000, 10000, 'ops@example.com', now(), :holder,
            now() + interval '1 day')
          """);

  private final Stockroom stockroom;
  private final TestServer server;

  public TwoCells(Path folder) {
    Map<String, String> settings = OwnDatabase.settings(OwnDatabase.withTables());
    stockroom = Stockroom.start(folder, Settings.with(settings));
    server = TestServer.of(stockroom);
    add("east");
  }

  public void add(String name) {
    DatabaseAddress address = OwnDatabase.create();
    Reply added =
        Admin.of(server)
            .post(
                "/admin/cells",
                """
                {"name":"%s","databaseUrl":"%s","databaseUser":"%s","databasePassword":"%s"}"""
                    .formatted(name, address.jdbcUrl(), address.user(), address.password()));
    if (added.status() != 201) {
      throw new IllegalStateException(added.whole());
    }
  }

  public TestServer server() {
    return server;
  }

  /** A merchant of {@code main} that keeps being copied. */
  public TestMerchant copiedMerchant() throws SQLException {
    TestMerchant merchant = TestMerchant.in("main", server);
    server
        .directory()
        .write(
            connection ->
                HOLD.on(connection)
                    .set("merchantId", merchant.id())
                    .set("holder", UUID.randomUUID())
                    .update());
    return merchant;
  }

  @Override
  public void close() {
    stockroom.close();
  }
}
