package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchedWriteTest {
  /** What one call asks for; the merchants need not exist. */
  private record Call(int merchantId, int number) {}

  private static final Sql TRANSACTION = Sql.of("select pg_current_xact_id()::text as id");

  private final Cells cells = Cells.single(TestServer.shared().database());
  private final Queue<List<Call>> transactions = new ConcurrentLinkedQueue<>();
  private final List<Thread> callers = new ArrayList<>();
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** Waits for the latch in each shared transaction, and returns the id of the transaction. */
  private List<@Nullable String> run(Connection connection, List<Call> calls, boolean waits)
      throws SQLException {
    transactions.add(calls);
    if (!waits) {
      await(goOn);
    }
    String id = TRANSACTION.on(connection).one(row -> row.getString("id"));
    return calls.stream().map(_ -> id).toList();
  }

  @Test
  void callsThatArriveDuringATransactionShareTheNextOne() throws Exception {
    BatchedWrite<Call, String> writes = new BatchedWrite<>(cells, Call::merchantId, this::run);
    List<Future<String>> results = new ArrayList<>();
    results.add(start(writes, new Call(1, 0)));
    eventually(() -> transactions.size() == 1);
    for (int merchant = 2; merchant <= 8; merchant++) {
      results.add(start(writes, new Call(merchant, 0)));
    }
    eventually(this::areWaiting);
    assertThat(transactions).as("seven are not worth another transaction").hasSize(1);
    results.add(start(writes, new Call(9, 0)));
    eventually(() -> transactions.size() == 2);
    goOn.countDown();

    assertThat(results.getFirst().get()).isNotEqualTo(results.getLast().get());
    for (int i = 1; i < 9; i++) {
      assertThat(results.get(i).get()).as("call %d", i).isEqualTo(results.getLast().get());
    }
    assertThat(transactions.stream().map(List::size)).containsExactly(1, 8);
  }

  @Test
  void callsOfABusyMerchantAreNotWorthAnotherTransaction() throws Exception {
    BatchedWrite<Call, String> writes = new BatchedWrite<>(cells, Call::merchantId, this::run);
    List<Future<String>> results = new ArrayList<>();
    results.add(start(writes, new Call(1, 0)));
    eventually(() -> transactions.size() == 1);
    for (int i = 1; i <= 8; i++) {
      results.add(start(writes, new Call(1, i)));
    }
    for (int merchant = 2; merchant <= 8; merchant++) {
      results.add(start(writes, new Call(merchant, 0)));
    }
    eventually(this::areWaiting);
    assertThat(transactions).as("only seven calls can run").hasSize(1);
    results.add(start(writes, new Call(9, 0)));
    eventually(() -> transactions.size() == 2);
    goOn.countDown();

    for (Future<String> result : results) {
      result.get();
    }
  }

  @Test
  void ofTwoTransactionsTheLastTakesTheFewCallsThatAreLeft() throws Exception {
    BatchedWrite<Call, String> writes = new BatchedWrite<>(cells, Call::merchantId, this::run);
    List<Future<String>> results = new ArrayList<>();
    results.add(start(writes, new Call(1, 0)));
    eventually(() -> transactions.size() == 1);
    for (int merchant = 2; merchant <= 9; merchant++) {
      results.add(start(writes, new Call(merchant, 0)));
    }
    eventually(() -> transactions.size() == 2);
    Future<String> afterTheFirst = start(writes, new Call(1, 1));
    Future<String> afterTheSecond = start(writes, new Call(2, 1));
    eventually(this::areWaiting);
    goOn.countDown();

    assertThat(afterTheFirst.get()).isEqualTo(afterTheSecond.get());
    assertThat(transactions).hasSize(3);
    for (Future<String> result : results) {
      result.get();
    }
  }

  @Test
  void callsOfOneMerchantNeverShareATransactionAndKeepTheirOrder() throws Exception {
    BatchedWrite<Call, String> writes = new BatchedWrite<>(cells, Call::merchantId, this::run);
    List<Future<String>> results = new ArrayList<>();
    results.add(start(writes, new Call(1, 1)));
    eventually(() -> transactions.size() == 1);
    for (int number = 2; number <= 12; number++) {
      results.add(start(writes, new Call(1, number)));
      eventually(this::areWaiting);
    }
    goOn.countDown();

    for (Future<String> result : results) {
      result.get();
    }
    assertThat(transactions)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 12).mapToObj(i -> List.of(new Call(1, i))).toList());
  }

  @Test
  void aCallThatIsLeftOutGetsATransactionOfItsOwn() throws Exception {
    BatchedWrite<Call, String> writes =
        new BatchedWrite<>(
            cells,
            Call::merchantId,
            (connection, calls, waits) ->
                run(connection, calls, waits).stream().map(id -> waits ? "alone" : null).toList());
    goOn.countDown();

    assertThat(writes.run(new Call(1, 1))).isEqualTo("alone");
  }

  @Test
  void aCallThatFailsDoesNotFailOthers() throws Exception {
    BatchedWrite<Call, String> writes =
        new BatchedWrite<>(
            cells,
            Call::merchantId,
            (connection, calls, waits) -> {
              List<@Nullable String> ids = run(connection, calls, waits);
              if (calls.stream().anyMatch(call -> call.merchantId == 2)) {
                throw new SQLException("not a number", "22P02");
              }
              return ids;
            });
    Future<String> first = start(writes, new Call(1, 0));
    eventually(() -> transactions.size() == 1);
    Future<String> wrong = start(writes, new Call(2, 0));
    Future<String> right = start(writes, new Call(3, 0));
    eventually(this::areWaiting);
    goOn.countDown();

    assertThat(first.get()).isNotNull();
    assertThat(right.get()).isNotNull();
    assertThatThrownBy(wrong::get).hasRootCauseMessage("not a number");
  }

  /** It may have committed: running it again could count a call twice. */
  @Test
  void aTransactionThatLostItsConnectionIsNotRunAgain() {
    BatchedWrite<Call, String> writes =
        new BatchedWrite<>(
            cells,
            Call::merchantId,
            (_, calls, _) -> {
              transactions.add(calls);
              throw new SQLException("the connection was lost", "08006");
            });

    assertThatThrownBy(() -> writes.run(new Call(1, 0)))
        .isInstanceOfSatisfying(
            SQLException.class, failure -> assertThat(SqlFailures.isUnavailable(failure)).isTrue());
    assertThat(transactions).containsExactly(List.of(new Call(1, 0)));
  }

  private Future<String> start(BatchedWrite<Call, String> writes, Call call) {
    FutureTask<String> task = new FutureTask<>(() -> writes.run(call));
    callers.add(Thread.ofVirtual().start(task));
    return task;
  }

  private boolean areWaiting() {
    return callers.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING);
  }

  private static void eventually(BooleanSupplier condition) {
    assertThat(Eventually.within(Duration.ofSeconds(20), condition)).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }
}
