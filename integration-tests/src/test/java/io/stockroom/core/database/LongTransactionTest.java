package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.ScratchDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LongTransactionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ScratchDatabase SCRATCH = new ScratchDatabase();
  private static final Database DATABASE =
      new Database(SCRATCH.address(), 4, new SimpleMeterRegistry());

  /** The commit waits for this lock, as it otherwise would for a standby. */
  @BeforeAll
  static void letCommitsWait() throws SQLException {
    DATABASE.write(
        connection -> {
          execute(
              connection,
              """
              create table held (number int);
              create function wait_for_lock() returns trigger language plpgsql as $$
              begin
                perform pg_advisory_xact_lock(1);
                return null;
              end $$;
              create constraint trigger wait after insert on held deferrable initially deferred
                for each row execute function wait_for_lock();
              """);
          return 0;
        });
  }

  @AfterAll
  static void drop() {
    DATABASE.close();
    SCRATCH.close();
  }

  @Test
  void aCommitThatHasBegunCannotBeStopped() throws Exception {
    try (LongTransaction transaction = DATABASE.begin()) {
      execute(transaction.connection(), "insert into held values (1)");
      CompletableFuture<Void> commit =
          DATABASE.write(
              holder -> {
                execute(holder, "select pg_advisory_xact_lock(1)");
                CompletableFuture<Void> waiting =
                    CompletableFuture.runAsync(() -> commit(transaction));
                assertThat(Eventually.within(PATIENCE, LongTransactionTest::isCommitWaiting))
                    .isTrue();
                transaction.cancelStatement();
                return waiting;
              });
      commit.get(30, TimeUnit.SECONDS);
    }

    assertThat(SCRATCH.texts("select number from held")).containsExactly("1");
  }

  @Test
  void aStatementCanBeStopped() throws Exception {
    try (LongTransaction transaction = DATABASE.begin()) {
      CompletableFuture<Void> sleep =
          CompletableFuture.runAsync(() -> sleep(transaction.connection()));
      assertThat(Eventually.within(PATIENCE, () -> isActive("query like 'select pg_sleep%'")))
          .isTrue();
      transaction.cancelStatement();

      assertThatThrownBy(() -> sleep.get(30, TimeUnit.SECONDS))
          .hasMessageContaining("canceling statement due to user request");
    }
  }

  private static boolean isCommitWaiting() {
    return isActive("query = 'COMMIT' and wait_event_type = 'Lock'");
  }

  private static boolean isActive(String condition) {
    return !SCRATCH
        .texts(
            "select pid from pg_stat_activity where datname = current_database() and state = 'active' and "
                + condition)
        .isEmpty();
  }

  private static void commit(LongTransaction transaction) {
    try {
      transaction.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sleep(Connection connection) {
    try {
      execute(connection, "select pg_sleep(60)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
