package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.OwnDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two cells that no server watches: they cannot be sure that a merchant is not moving, so every
 * transaction passes the fence.
 */
class MerchantFenceTest {
  private static final int MERCHANT = 7;
  private static final Duration SOON = Duration.ofSeconds(30);

  private static final DatabaseAddress ADDRESS = OwnDatabase.create();

  private static Database main;
  private static Database east;
  private static Cells cells;

  @BeforeAll
  static void open() throws SQLException {
    main = new Database(ADDRESS, 6, new SimpleMeterRegistry());
    east = new Database(OwnDatabase.create(), 6, new SimpleMeterRegistry());
    Migrations.run(main);
    Migrations.run(east);
    cells =
        Cells.of(main, List.of(new Cells.Cell(1, "main", main), new Cells.Cell(2, "east", east)));
    execute(main, "insert into cell (name, url) values ('east', 'jdbc:postgresql://east/east')");
    execute(
        main,
        """
        insert into merchant (merchant_id, cell_id, name, store_url, store_name)
        values (7, 1, 'Yiwu Shoes', 'yiwu', 'Yiwu Shoes')
        """);
  }

  @AfterAll
  static void close() {
    cells.close();
    east.close();
  }

  private static void execute(Database database, String sql) throws SQLException {
    database.write(connection -> Sql.of(sql).on(connection).update());
  }

  private static void mark(Database database, String until) throws SQLException {
    execute(
        database,
        "insert into absent_merchant (merchant_id, state, until) values (7, 'left', now() + interval '%s')"
            .formatted(until));
  }

  private static CompletableFuture<String> write(AtomicInteger attempts) {
    CompletableFuture<String> where = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                where.complete(
                    cells
                        .of(MERCHANT)
                        .write(
                            connection -> {
                              attempts.incrementAndGet();
                              return Sql.of("select current_database()")
                                  .on(connection)
                                  .one(row -> row.getString(1));
                            }));
              } catch (SQLException | RuntimeException failure) {
                where.completeExceptionally(failure);
              }
            });
    return where;
  }

  private static String name(Database database) throws SQLException {
    return database.read(
        connection ->
            Sql.of("select current_database()").on(connection).one(row -> row.getString(1)));
  }

  /** A write that loses its knowledge of the moves needs only the cell. */
  @Test
  void repeatsAWriteWithTheLockWhileTheDirectoryIsDown() throws Exception {
    execute(
        main,
        """
        insert into merchant (merchant_id, cell_id, name, store_url, store_name)
        values (8, 2, 'Keqiao Fabrics', 'keqiao', 'Keqiao Fabrics')
        """);
    execute(east, "create table written (attempt int)");
    Database directory = new Database(ADDRESS, 2, new SimpleMeterRegistry());
    Cells watched = Cells.open(directory, new Opened(List.of(main, east)));
    AtomicInteger attempts = new AtomicInteger();

    String where =
        watched
            .of(8)
            .write(
                connection -> {
                  if (attempts.incrementAndGet() == 1) {
                    execute(
                        main,
                        """
                        insert into merchant_move (merchant_id, from_cell, to_cell, actor, announced_at)
                        values (8, 2, 1, 'test', now())
                        """);
                    watched.refreshMoves();
                    directory.close();
                  }
                  Sql.of("insert into written values (:attempt)")
                      .on(connection)
                      .set("attempt", attempts.get())
                      .update();
                  return Sql.of("select current_database()")
                      .on(connection)
                      .one(row -> row.getString(1));
                });

    assertThat(where).isEqualTo(name(east));
    assertThat(attempts).hasValue(2);
    List<Integer> written =
        east.read(
            connection ->
                Sql.of("select attempt from written").on(connection).list(row -> row.getInt(1)));
    assertThat(written).containsExactly(2);
  }

  /** The databases of cells, which are open. */
  private record Opened(List<Database> databases) implements CellSource {
    @Override
    public Database open(CellTable.Row row) {
      return databases.get(row.id() - 1);
    }

    @Override
    public boolean isMoved(CellTable.Row row) {
      return false;
    }

    @Override
    public DatabaseRoles roles(CellTable.Row row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void forget(int cellId) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  /** One test, because the merchant goes from state to state. */
  @Test
  void waitsWhileTheMerchantIsAbsentAndFollowsIt() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    assertThat(write(attempts).get()).isEqualTo(name(main));

    // the mover cannot take its lock while a transaction is open
    CompletableFuture<Boolean> isLocked = new CompletableFuture<>();
    cells
        .of(MERCHANT)
        .write(
            connection -> {
              isLocked.complete(
                  main.read(
                      other ->
                          Sql.of("select not pg_try_advisory_xact_lock(:space, :id) as locked")
                              .on(other)
                              .set("space", AdvisoryLock.MERCHANT_MOVE.space())
                              .set("id", MERCHANT)
                              .one(row -> row.getBoolean("locked"))));
              return MERCHANT;
            });
    assertThat(isLocked.get()).isTrue();

    // a pause that ends: the work goes on in the same cell, and runs once
    attempts.set(0);
    mark(main, "2 seconds");
    CompletableFuture<String> paused = write(attempts);
    execute(main, "delete from absent_merchant");
    assertThat(paused.get()).isEqualTo(name(main));
    assertThat(attempts).hasValue(1);

    // a switch: the work goes on in the new cell
    mark(main, "1 hour");
    CompletableFuture<String> moved = write(attempts);
    assertThat(moved).isNotDone();
    execute(main, "update merchant set cell_id = 2 where merchant_id = 7");
    assertThat(Eventually.within(SOON, moved::isDone)).isTrue();
    assertThat(moved.get()).isEqualTo(name(east));
    assertThat(attempts).hasValue(2);
    assertThat(write(attempts).get()).isEqualTo(name(east));
  }
}
