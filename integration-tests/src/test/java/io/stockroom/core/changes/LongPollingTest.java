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
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
    // the last byte of the answer may be read before the wait has ended
    assertThat(Eventually.within(LONG, () -> waiting(api.server()) == 0)).isTrue();
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
    Future<List<JsonNode>> waiting = waitFor(new Feed(api, Feed.latest(api)), api.server(), 1);

    merchant.product();

    assertThat(Feed.numbers(waiting.get())).containsExactly(2L);
  }

  @Test
  void anotherMerchantsChangesDoNotWake() throws Exception {
    Future<List<JsonNode>> waiting = waitFor(new Feed(api, Feed.latest(api)), api.server(), 1);
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
    assertThat(Eventually.within(LONG, () -> waiting(server) == 0)).isTrue();
  }

  @Test
  void aStoppingServerAnswersWaitingCalls() throws Exception {
    Stockroom stockroom =
        Stockroom.start(folder, Settings.with(OwnDatabase.settings(OwnDatabase.withTables())));
    TestServer server = TestServer.of(stockroom);
    TestMerchant other = TestMerchant.on(server);
    Future<List<JsonNode>> waiting = waitFor(new Feed(other.api()), server, 1);

    stockroom.close();

    assertThat(waiting.get()).isEmpty();
  }

  @Test
  void aClientThatLeavesEndsItsWait() throws Exception {
    try (Socket socket = connect()) {
      send(socket, waitingCall());
      assertThat(Eventually.within(LONG, () -> waiting(api.server()) == 1)).isTrue();
    }

    assertThat(Eventually.within(LONG, () -> waiting(api.server()) == 0)).isTrue();
  }

  @Test
  void aPipelinedRequestEndsTheWaitAndIsAnsweredAfterIt() throws Exception {
    try (Socket socket = connect()) {
      send(socket, waitingCall());
      assertThat(Eventually.within(LONG, () -> waiting(api.server()) == 1)).isTrue();
      send(socket, api.call("/Stock/Product").head("Content-Length: 0", "Connection: close"));

      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answers).containsSubsequence("\"changes\":[]", "FIELD_MISSING");
    }
  }

  /** Such a call cannot be answered later, so its virtual thread waits. */
  @Test
  void wakesACallWhoseConnectionIsClosedAfterIt() throws Exception {
    try (Socket socket = connect()) {
      send(socket, waitingCall().replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      assertThat(Eventually.within(LONG, () -> waiting(api.server()) == 1)).isTrue();

      api.create(Stock.one(product, "red", "36", 5));

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("\"number\":2");
    }
  }

  private String waitingCall() {
    return api.call("/Changes")
        .query(WAIT + "&after=" + Feed.latest(api))
        .head("Content-Length: 0");
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.server().port());
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  @Test
  void aFullNodeLetsTheTokenWithTheMostWaitingCallsGiveWay() throws Exception {
    Database database = api.server().database();
    ChangeWaiters waiters = new ChangeWaiters(api.server().cells(), 3, new SimpleMeterRegistry());
    try (waiters) {
      Waiter oldest = Objects.requireNonNull(waiters.add(-1, 1, LONG));
      for (int i = 0; i < 2; i++) {
        assertThat(waiters.add(-1, 1, LONG)).isNotNull();
      }
      assertThat(waiters.add(-1, 1, LONG)).isNull();

      assertThat(waiters.add(-1, 2, LONG)).isNotNull();

      assertThat(oldest.ended().join()).isFalse();
      assertThat(waiters.count()).isEqualTo(3);
      assertThat(waiters.add(-1, 2, LONG)).isNull();
    }
    assertThat(waiters.count()).isZero();
    assertThat(waiters.add(-1, 1, LONG)).isNull();
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
