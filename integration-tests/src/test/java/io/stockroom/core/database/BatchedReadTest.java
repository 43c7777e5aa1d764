package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchedReadTest {
  private final Database database = TestServer.shared().database();

  @Test
  void returnsToEachCallerTheResultOfItsKey() {
    BatchedRead<Integer, Integer> read = database.batched(BatchedReadTest::doubled);

    List<Integer> keys = IntStream.range(0, 500).boxed().toList();

    assertThat(keys.parallelStream().map(key -> ask(read, key)))
        .containsExactlyElementsOf(keys.stream().map(key -> key * 2).toList());
  }

  @Test
  void batchesCallsThatArriveWhileReadersAreBusy() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Queue<Integer> together = new ConcurrentLinkedQueue<>();
    BatchedRead<Integer, Integer> read =
        database.batched(
            (connection, keys) -> {
              together.add(keys.size());
              await(goOn);
              return doubled(connection, keys);
            });
    List<Thread> callers = new ArrayList<>();
    callers.add(caller(read, 1));
    eventually(() -> together.size() == 1);
    for (int key = 2; key <= 8; key++) {
      callers.add(caller(read, key));
    }
    eventually(() -> areWaiting(callers));
    assertThat(together).as("seven are not worth another statement").containsExactly(1);
    callers.add(caller(read, 9));
    eventually(() -> together.size() == 2);

    for (int key = 10; key <= 22; key++) {
      callers.add(caller(read, key));
    }
    eventually(() -> areWaiting(callers));
    goOn.countDown();
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(together.stream().mapToInt(Integer::intValue).sum()).isEqualTo(22);
    assertThat(together).hasSizeLessThanOrEqualTo(4).startsWith(1, 8);
  }

  @Test
  void fewKeysOfLargeValuesShareAStatementButAnyNumberOfEqualOnes() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Queue<List<Integer>> together = new ConcurrentLinkedQueue<>();
    BatchedRead<Integer, Integer> read =
        database.batchedLarge(
            (connection, keys) -> {
              together.add(keys);
              await(goOn);
              return doubled(connection, keys);
            });
    List<Thread> callers = new ArrayList<>();
    callers.add(caller(read, 0));
    eventually(() -> together.size() == 1);
    for (int i = 0; i < 7; i++) {
      callers.add(caller(read, 1));
    }
    eventually(() -> areWaiting(callers));
    callers.add(caller(read, 2));
    eventually(() -> together.size() == 2);
    for (int key = 3; key <= 9; key++) {
      callers.add(caller(read, key));
    }
    eventually(() -> areWaiting(callers));
    goOn.countDown();
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(together).startsWith(List.of(0), List.of(1, 1, 1, 1, 1, 1, 1, 2));
    assertThat(together.stream().mapToInt(List::size).sum()).isEqualTo(16);
    assertThat(together)
        .allSatisfy(keys -> assertThat(keys.stream().distinct()).hasSizeLessThanOrEqualTo(4));
  }

  @Test
  void passesAFailureToTheCallerAndContinues() throws SQLException {
    AtomicBoolean broken = new AtomicBoolean(true);
    BatchedRead<Integer, Integer> read =
        database.batched(
            (connection, keys) -> {
              if (broken.get()) {
                throw new SQLException("the disk is full", "53100");
              }
              return doubled(connection, keys);
            });

    assertThatThrownBy(() -> read.get(1))
        .isInstanceOfSatisfying(
            SQLException.class, failure -> assertThat(SqlFailures.isUnavailable(failure)).isTrue());
    broken.set(false);
    assertThat(read.get(1)).isEqualTo(2);
  }

  @Test
  void failsForEveryCallerIfTheStatementReturnsTooFewValues() {
    BatchedRead<Integer, Integer> read =
        database.batched((_, keys) -> keys.subList(1, keys.size()));

    assertThatThrownBy(() -> read.submit(1).get(30, TimeUnit.SECONDS))
        .hasMessageContaining("a statement returned 0 values for 1 keys");
  }

  private static List<Integer> doubled(Connection connection, List<Integer> keys)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select key * 2 from unnest(?::int[]) with ordinality k (key, n) order by n")) {
      statement.setObject(1, keys.stream().mapToInt(Integer::intValue).toArray());
      List<Integer> answers = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answers.add(rows.getInt(1));
        }
      }
      return answers;
    }
  }

  private static boolean areWaiting(List<Thread> callers) {
    return callers.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING);
  }

  private static void eventually(BooleanSupplier condition) {
    assertThat(Eventually.within(Duration.ofSeconds(20), condition)).isTrue();
  }

  private static Thread caller(BatchedRead<Integer, Integer> read, int key) {
    return Thread.ofVirtual().start(() -> assertThat(ask(read, key)).isEqualTo(key * 2));
  }

  private static int ask(BatchedRead<Integer, Integer> read, int key) {
    try {
      return read.get(key);
    } catch (SQLException failure) {
      throw new AssertionError(failure);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** The pool reports no SQL state, and each caller gets a copy of the failure. */
  @Test
  void aCopyOfATransientFailureIsTransient() {
    SQLException full = new java.sql.SQLTransientConnectionException("no connection");

    assertThat(SqlFailures.isUnavailable(new SQLException("copy", null, full))).isTrue();
    assertThat(SqlFailures.isUnavailable(new SQLException("copy", null, new SQLException("wrong"))))
        .isFalse();
  }
}
