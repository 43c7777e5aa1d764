package io.stockroom.core.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.Schema;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What PostgreSQL logs of a move at its most talkative. */
class MovePasswordTest {
  private static final Duration SOON = Duration.ofSeconds(90);

  private final String role = "mover_" + UUID.randomUUID().toString().replace('-', '_');
  // characters that SQL, libpq and COPY escape
  private final String password = "hush'\\\\ " + UUID.randomUUID();
  private final DatabaseAddress oldCell = OwnDatabase.create();
  private final DatabaseAddress newCell = OwnDatabase.create();
  private final Move move = move(ThreadLocalRandom.current().nextInt(1 << 30, Integer.MAX_VALUE));

  @BeforeEach
  void makeCells() throws SQLException {
    try (CellSide superuser = new CellSide(oldCell)) {
      superuser.execute(
          "create role %s login replication password '%s'"
              .formatted(role, password.replace("'", "''")));
      superuser.execute("grant pg_create_subscription to " + role);
      for (DatabaseAddress cell : List.of(oldCell, newCell)) {
        String name = cell.jdbcUrl().replaceFirst(".*/([^/?]+).*", "$1");
        superuser.execute("alter database %s owner to %s".formatted(name, role));
        superuser.execute("alter database %s set log_statement = 'all'".formatted(name));
        superuser.execute("alter database %s set log_min_duration_statement = 0".formatted(name));
      }
    }
    for (DatabaseAddress cell : List.of(oldCell, newCell)) {
      try (Database database = new Database(asOwner(cell), 2, new SimpleMeterRegistry())) {
        Migrations.run(database, List.of(Schema.CELL));
      }
    }
  }

  @AfterEach
  void dropCells() throws SQLException {
    OwnDatabase.drop(oldCell);
    OwnDatabase.drop(newCell);
    try (CellSide superuser = new CellSide(TestServer.owner())) {
      superuser.execute("drop role " + role);
    }
  }

  private DatabaseAddress asOwner(DatabaseAddress cell) {
    return new DatabaseAddress(cell.jdbcUrl(), role, password);
  }

  private static Move move(int id) {
    return new Move(
        id,
        id,
        1,
        "main",
        2,
        "east",
        Move.Phase.COPYING,
        "",
        0,
        0,
        0,
        null,
        Instant.EPOCH,
        null,
        null);
  }

  @Test
  void theLogDoesNotContainThePasswordOfTheOldCell() throws SQLException {
    String end = "end-" + UUID.randomUUID();
    try (CellSide source = new CellSide(asOwner(oldCell));
        CellSide target = new CellSide(asOwner(newCell))) {
      Replication replication = new Replication(source, target, move);
      replication.start();
      // another mover continues
      replication.start();
      assertThat(Eventually.within(SOON, () -> isReady(replication))).isTrue();
      String login = source.conninfo();
      for (String broken :
          List.of("alter subscription missing connection", "alter subscription nonsense")) {
        assertThatThrownBy(() -> target.executeWithLogin("select 1", broken, login))
            .isInstanceOf(SQLException.class)
            .hasMessageNotContaining("hush");
      }
      while (!replication.drop()) {
        LockSupport.parkNanos(10_000_000);
      }
      target.execute("select '%s'".formatted(end));
    }

    assertThat(Eventually.within(SOON, () -> log().contains(end))).isTrue();
    assertThat(log())
        .contains("create subscription " + "stockroom_move_" + move.id())
        .contains("copy pg_temp.other_cell from stdin")
        .contains("subscription \"missing\" does not exist", "its message contains the login")
        .doesNotContain(password.substring(password.indexOf(' ') + 1));
  }

  private static boolean isReady(Replication replication) {
    try {
      List<Replication.Table> tables = replication.tables();
      return !tables.isEmpty() && tables.stream().allMatch(Replication.Table::isReady);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** All that the shared PostgreSQL has logged; the older part first. */
  private static String log() {
    Path file = TestServer.shared().dataFolder().resolve("postgres.log");
    try {
      Path older = file.resolveSibling("postgres.log.1");
      return (Files.exists(older) ? Files.readString(older) : "") + Files.readString(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
