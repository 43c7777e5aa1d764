package io.stockroom.core.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Sql;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Moves of a server with two cells: asks for them, or runs them step by step. */
final class SteppedMoves {
  private static final Duration SOON = Duration.ofSeconds(90);

  private final TestServer server;
  private final Admin admin;

  SteppedMoves(TestServer server) {
    this.server = server;
    this.admin = Admin.of(server);
  }

  private static String path(TestMerchant merchant) {
    return "/admin/merchants/" + merchant.id() + "/move";
  }

  Reply move(TestMerchant merchant, String to) {
    return admin.post(path(merchant), "{\"to\":\"" + to + "\"}");
  }

  String phase(TestMerchant merchant) {
    return admin.get(path(merchant)).json().get("phase").asString();
  }

  void awaitPhase(TestMerchant merchant, String phase) {
    assertThat(Eventually.within(SOON, () -> phase(merchant).equals(phase)))
        .as(() -> admin.get(path(merchant)).body())
        .isTrue();
  }

  /** How many rows of a merchant a cell has, in all tables. */
  long rows(int cellId, TestMerchant merchant) throws SQLException {
    try (CellSide side = side(cellId)) {
      long rows = 0;
      for (String table : side.tables()) {
        rows +=
            Sql.of("select count(*) from %s where merchant_id = :id".formatted(table))
                .on(side.connection())
                .set("id", merchant.id())
                .one(row -> row.getLong(1));
      }
      return rows;
    }
  }

  CellSide side(int cellId) throws SQLException {
    return new CellSide(address(cellId));
  }

  DatabaseAddress address(int cellId) throws SQLException {
    return server
        .cells()
        .roles(server.directory().read(CellTable::withMerchants).get(cellId - 1))
        .owner();
  }

  Mover mover(MoveTable table) {
    return new Mover(server.cells(), table);
  }

  /** Takes a move that the server's own runner does not see. */
  MoveTable claim(TestMerchant merchant, String phase) throws SQLException {
    UUID holder = UUID.randomUUID();
    server
        .directory()
        .write(
            connection ->
                Sql.of(
                        """
                        insert into merchant_move (merchant_id, from_cell, to_cell, actor, phase,
                          announced_at, holder, lease_until)
                        values (:id, 1, 2, 'test', :phase, now(), :holder, now() + interval '1 hour')
                        """)
                    .on(connection)
                    .set("id", merchant.id())
                    .set("phase", phase)
                    .set("holder", holder)
                    .update());
    return new MoveTable(server.directory(), holder);
  }

  Move find(TestMerchant merchant) throws SQLException {
    Database directory = server.directory();
    int id =
        directory.read(
            connection ->
                Sql.of("select max(move_id) from merchant_move where merchant_id = :id")
                    .on(connection)
                    .set("id", merchant.id())
                    .one(row -> row.getInt(1)));
    return new MoveTable(directory, UUID.randomUUID()).find(id);
  }
}
