package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.StallingProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads and transactions on a database that a proxy can let hang. */
class DatabaseTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Sql FIND = Sql.of("select number from kept");
  private static final Sql ADD = Sql.of("insert into kept values (:number) returning number");
  private static final Sql LOCK = Sql.of("select number from kept for no key update");

  private ScratchDatabase scratch;
  private StallingProxy proxy;
  private Database database;

  @BeforeEach
  void open() throws IOException, SQLException {
    scratch = new ScratchDatabase();
    DatabaseAddress at = scratch.address();
    proxy = new StallingProxy(Integer.parseInt(at.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1")));
    String url = at.jdbcUrl().replaceFirst(":\\d+/", ":" + proxy.port() + "/");
    database =
        new Database(
            new DatabaseAddress(url, at.user(), at.password()), 4, new SimpleMeterRegistry());
    database.watch();
    database.write(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute("create table kept (number int)");
          }
        });
  }

  @AfterEach
  void close() {
    database.close();
    proxy.close();
    scratch.close();
  }

  @Test
  void refusesToWriteInARead() throws SQLException {
    assertThatThrownBy(() -> database.read(connection -> add(connection, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("a read must not write: insert into kept");
    assertThatThrownBy(() -> database.read(connection -> LOCK.on(connection).exists()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () ->
                database.read(
                    connection -> {
                      try (Sql.Batch batch = ADD.batch(connection)) {
                        return batch;
                      }
                    }))
        .isInstanceOf(IllegalStateException.class);

    database.write(connection -> add(connection, 2));
    assertThat(kept()).isEqualTo("[2]");
  }

  @Test
  void aCommitThatIsUnderWaySurvivesAStall() throws Exception {
    CompletableFuture<Integer> write =
        CompletableFuture.supplyAsync(
            () ->
                attempt(
                    () ->
                        database.write(
                            connection -> {
                              int added = add(connection, 1);
                              proxy.stall(true);
                              return added;
                            })));
    awaitSilence();
    assertThatThrownBy(() -> database.read(connection -> FIND.on(connection).exists()))
        .satisfies(DatabaseTest::isUnavailable);
    proxy.stall(false);

    assertThat(write.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(kept()).isEqualTo("[1]");
  }

  @Test
  void aTransactionThatHasNotBegunToCommitFailsAndIsUndone() {
    assertThatThrownBy(
            () ->
                database.write(
                    connection -> {
                      add(connection, 1);
                      proxy.stall(true);
                      return add(connection, 2);
                    }))
        .satisfies(DatabaseTest::isUnavailable);
    proxy.stall(false);

    assertThat(kept()).isEqualTo("[]");
  }

  @Test
  void aLongTransactionDoesNotHangWithTheDatabase() throws SQLException {
    LongTransaction transaction = database.begin();
    proxy.stall(true);

    assertThatThrownBy(() -> add(transaction.connection(), 1))
        .satisfies(DatabaseTest::isUnavailable);
    assertThatThrownBy(transaction::close).isInstanceOf(SQLException.class);
    assertThatThrownBy(database::begin).satisfies(DatabaseTest::isUnavailable);
    proxy.stall(false);

    assertThat(Eventually.within(PATIENCE, () -> database.heartbeat().answers())).isTrue();
    for (int i = 0; i < 4; i++) {
      database.begin().close();
    }
  }

  @Test
  void longTransactionsLeaveConnectionsForReads() throws Exception {
    try (LongTransaction first = database.begin();
        LongTransaction second = database.begin()) {
      assertThat(first).isNotSameAs(second);
      CompletableFuture<Integer> waiting;
      try (LongTransaction third = database.begin()) {
        assertThat(third.connection().isClosed()).isFalse();
        waiting =
            CompletableFuture.supplyAsync(
                () -> attempt(() -> database.write(connection -> add(connection, 1))));
        assertThat(Eventually.within(PATIENCE, () -> database.use().waiting() == 1)).isTrue();
        boolean found = database.read(connection -> FIND.on(connection).exists());
        assertThat(found).isFalse();
      }
      assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  private void awaitSilence() {
    assertThat(Eventually.within(PATIENCE, () -> !database.heartbeat().answers())).isTrue();
  }

  private static int add(Connection connection, int number) throws SQLException {
    return ADD.on(connection).set("number", number).one(row -> row.getInt(1));
  }

  private String kept() {
    return scratch.texts("select number from kept").toString();
  }

  private static void isUnavailable(Throwable failure) {
    assertThat(SqlFailures.isUnavailable(failure)).as(failure.toString()).isTrue();
  }

  private interface Attempt {
    int run() throws SQLException;
  }

  private static int attempt(Attempt attempt) {
    try {
      return attempt.run();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
