package io.stockroom.core.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.changes.ChangeWaiters.Waiter;
import io.stockroom.core.database.Database;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Calls of {@code /Changes} that wait. */
class LongPollingTest {
  private static final Duration LONG = Duration.ofSeconds(15);
  private static final String WAIT = "wait=15";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int product = merchant.product();

  @TempDir Path folder;

  @Test
  void respondsAtOnceIfThereAreChanges() {
    assertThat(new Feed(api).next(WAIT)).hasSize(1);
    assertThat(waiting(api.server())).isZero();
  }

  @Test
  void respondsWithoutChangesWhenTheTimeIsOver() {
    String end = Feed.latest(api);

    Reply reply = Feed.changes(api, "wait=1&after=" + end);

    assertThat(reply.json().get("changes")).isEmpty();
    assertThat(reply.json().get("cursor").asString()).isEqualTo(end);
    assertThat(waiting(api.server())).isZero();
  }

  @Test
  void wakesWhenTheSameNodeCommits() throws Exception {
    assertThat(wokenBy(api.server(), api.server())).containsExactly(2L);
  }

  @Test
  void wakesWhenAnotherNodeCommits() throws Exception {
    assertThat(wokenBy(Nodes.strict(), api.server())).containsExactly(2L);
  }

  @Test
  void aWaitFromTheOldestChangeWakesToo() throws Exception {
    TestMerchant empty = TestMerchant.fresh();
    Future<List<JsonNode>> waiting = waitFor(new Feed(empty.api()), empty.server(), 1);

    empty.product();

    assertThat(Feed.numbers(waiting.get())).containsExactly(1L);
  }

  private List<Long> wokenBy(TestServer waitsAt, TestServer commitsAt) throws Exception {
    Feed feed = new Feed(api, Feed.latest(api)).on(waitsAt);
    Future<List<JsonNode>> waiting = waitFor(feed, waitsAt, 1);

    assertThat(api.on(commitsAt).create(Stock.one(product, "red", "36", 5)).success()).isTrue();

    return Feed.numbers(waiting.get());
  }

  @Test
  void anImportWakesToo() throws Exception {
    Future<List<JsonNode>> waiting =
        waitFor(new Feed(api, Feed.latest(api)), api.server(), 1);

    merchant.product();

    assertThat(Feed.numbers(waiting.get())).containsExactly(2L);
  }

  @Test
  void anotherMerchantsChangesDoNotWake() throws Exception {
    Future<List<JsonNode>> waiting =
        waitFor(new Feed(api, Feed.latest(api)), api.server(), 1);
    TestMerchant other = TestMerchant.fresh();
    other.api().create(Stock.one(other.product(), "red", "36", 5));
    assertThat(waiting.isDone()).isFalse();

    api.create(Stock.one(product, "red", "36", 5));

    assertThat(Feed.numbers(waiting.get())).containsExactly(2L);
  }

  @Test
  void manyCallsWaitWithoutConnectionsAndAllWake() throws Exception {
    TestServer server = api.server();
    Feed end = new Feed(api, Feed.latest(api));
    List<Future<List<JsonNode>>> waiting =
        IntStream.range(0, 64)
            .mapToObj(_ -> call(() -> new Feed(api, end.cursor()).next(WAIT)))
            .toList();
    assertThat(Eventually.within(LONG, () -> waiting(server) == 64)).isTrue();
    assertThat(Eventually.within(LONG, () -> server.database().use().inUse() == 0)).isTrue();

    api.create(Stock.one(product, "red", "36", 5));

    for (Future<List<JsonNode>> each : waiting) {
      assertThat(Feed.numbers(each.get())).containsExactly(2L);
    }
    assertThat(waiting(server)).isZero();
  }

  @Test
  void aStoppingServerAnswersWaitingCalls() throws Exception {
    Stockroom stockroom =
        Stockroom.start(folder, Settings.with(OwnDatabase.settings(OwnDatabase.create())));
    TestServer server = TestServer.of(stockroom);
    TestMerchant other = TestMerchant.on(server);
    Future<List<JsonNode>> waiting = waitFor(new Feed(other.api()), server, 1);

    stockroom.close();

    assertThat(waiting.get()).isEmpty();
  }

  @Test
  void aFullNodeLetsTheTokenWithTheMostWaitingCallsGiveWay() throws Exception {
    Database database = api.server().database();
    try (ChangeWaiters waiters = new ChangeWaiters(database, 3, new SimpleMeterRegistry())) {
      Waiter oldest = Objects.requireNonNull(waiters.add(-1, 1, LONG));
      Waiter second = Objects.requireNonNull(waiters.add(-1, 1, LONG));
      Waiter third = Objects.requireNonNull(waiters.add(-1, 1, LONG));
      assertThat(waiters.add(-1, 1, LONG)).isNull();

      Waiter other = Objects.requireNonNull(waiters.add(-1, 2, LONG));

      assertThat(oldest.await()).isFalse();
      assertThat(waiters.count()).isEqualTo(3);
      assertThat(waiters.add(-1, 2, LONG)).isNull();
      second.close();
      third.close();
      other.close();
      assertThat(waiters.count()).isZero();
      waiters.close();
      assertThat(waiters.add(-1, 1, LONG)).isNull();
    }
  }

  /** A call that waits, once the server knows of it. */
  private static Future<List<JsonNode>> waitFor(Feed feed, TestServer server, int count) {
    Future<List<JsonNode>> reply = call(() -> feed.next(WAIT));
    assertThat(Eventually.within(LONG, () -> waiting(server) >= count)).isTrue();
    return reply;
  }

  private static <T> Future<T> call(Callable<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                result.complete(call.call());
              } catch (Exception failure) {
                result.completeExceptionally(failure);
              }
            });
    return result;
  }

  private static int waiting(TestServer server) {
    return server.waiting();
  }
}
