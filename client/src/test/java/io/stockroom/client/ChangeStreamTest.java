package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.protocol.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a stream of changes continues, resumes and ends. */
class ChangeStreamTest {
  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = time.client(server, 1).retries(0).build();

  @AfterEach
  void close() {
    server.close();
    client.close();
  }

  private static String page(String cursor, int... numbers) {
    List<String> changes = new ArrayList<>();
    for (int number : numbers) {
      changes.add(
          """
          {"number":%d,"at":"2026-11-16T03:00:00.123Z","kind":"product","pid":2,"artNo":"A2",\
          "source":"import","batch":"b_9","created":false,"fields":["title","price"]}"""
              .formatted(number));
    }
    return "{\"success\":true,\"msg\":\"\",\"cursor\":\"%s\",\"more\":false,\"changes\":[%s]}"
        .formatted(cursor, String.join(",", changes));
  }

  private List<String> asked() {
    return server.received().stream().map(ScriptedServer.Received::body).toList();
  }

  @Test
  void readsBothKindsAndLeavesOutUnknownOnes() {
    server.json(
        200,
        """
        {"success":true,"msg":"","cursor":"c_2","more":true,"changes":[
        {"number":17,"at":"2026-11-16T03:00:00.123Z","kind":"stock","pid":1,"artNo":"A100",
         "source":"interface","batch":"b_1","entries":[
         {"guid":"0a","barCode":"69","color":"red","size":36,"before":5,"after":null}]},
        {"number":18,"at":"2026-11-16T03:00:01Z","kind":"price","pid":1},
        {"number":19,"at":"2026-11-16T03:00:01Z","kind":"product","pid":2,"artNo":"A101",
         "source":"import","batch":"b_2","created":true,"fields":["title"]}]}""");
    try (ChangeStream stream = client.changes("c_1")) {
      assertThat(stream.poll(Duration.ZERO))
          .contains(
              new ChangePage(
                  "c_2",
                  true,
                  List.of(
                      new StockChange(
                          17,
                          Instant.parse("2026-11-16T03:00:00.123Z"),
                          1,
                          "A100",
                          "interface",
                          "b_1",
                          List.of(new StockChange.Entry("0a", "69", "red", Size.of(36), 5, null))),
                      new ProductChange(
                          19,
                          Instant.parse("2026-11-16T03:00:01Z"),
                          2,
                          "A101",
                          "import",
                          "b_2",
                          true,
                          List.of("title")))));
    }
    assertThat(asked()).containsExactly("limit=1000&wait=0&after=c_1");
  }

  @Test
  void continuesWithTheCursorOfEachPage() {
    server.json(200, page("c_1", 1, 2)).json(200, page("c_1")).json(200, page("c_3", 3));
    try (ChangeStream stream = client.changes()) {
      Iterator<ChangePage> pages = stream.iterator();
      assertThat(pages.next().cursor()).isEqualTo("c_1");
      assertThat(pages.next().changes()).extracting(Change::number).containsExactly(3L);
    }
    assertThat(asked())
        .containsExactly(
            "limit=1000&wait=25", "limit=1000&wait=25&after=c_1", "limit=1000&wait=25&after=c_1");
    assertThat(time.waits()).as("the server answered at once, with nothing").hasSize(1);
  }

  @Test
  void resumesAfterFailuresWithGrowingWaits() {
    server.json(200, page("c_1", 1));
    server.cut().rejection(500, "", "INTERNAL").page(502, "text/html", "bad");
    server.rejection(503, "", "UNAVAILABLE", "Retry-After: 7");
    server.json(200, page("c_2", 2));
    List<StockroomException> failures = new ArrayList<>();
    try (ChangeStream stream = client.changes("c_0").onFailure(failures::add)) {
      Iterator<ChangePage> pages = stream.iterator();
      assertThat(pages.next().cursor()).isEqualTo("c_1");
      assertThat(pages.next().cursor()).isEqualTo("c_2");
    }
    assertThat(failures)
        .extracting(Object::getClass)
        .containsExactly(
            NoAnswerException.class,
            ServerErrorException.class,
            UnexpectedAnswerException.class,
            ServerUnavailableException.class);
    assertThat(time.waits())
        .containsExactly(
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(7));
    assertThat(asked().subList(1, 6)).containsOnly("limit=1000&wait=25&after=c_1");
  }

  @Test
  void failsWhenARetryCannotHelp() {
    server.rejection(200, "after", "CURSOR_EXPIRED");
    server.rejection(400, "after", "CURSOR_FORMAT");
    server.rejection(400, "headers.accesstoken", "TOKEN_REVOKED");
    try (ChangeStream stream = client.changes("c_0")) {
      Iterator<ChangePage> pages = stream.iterator();
      CursorExpiredException expired =
          catchThrowableOfType(CursorExpiredException.class, pages::hasNext);
      assertThat(expired.code()).contains("CURSOR_EXPIRED");
      assertThatThrownBy(pages::hasNext).isInstanceOf(InvalidRequestException.class);
      assertThatThrownBy(pages::hasNext).isInstanceOf(AuthenticationException.class);
    }
    assertThat(time.waits()).isEmpty();
  }

  @Test
  void pollReportsAnUnreachableServerWhenItsTimeIsOver() {
    server.cut();
    try (ChangeStream stream = client.changes("c_0")) {
      assertThatThrownBy(() -> stream.poll(Duration.ZERO)).isInstanceOf(NoAnswerException.class);
    }
  }

  @Test
  void closingEndsAWaitingReader() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    server.step(
        out -> {
          waiting.countDown();
          server.awaitClose();
        });
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      ChangeStream stream = client.changes("c_0");
      Future<Boolean> ended =
          reader.submit(() -> !stream.iterator().hasNext() && !Thread.interrupted());
      assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();
      stream.close();
      assertThat(ended.get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(stream.poll(Duration.ofDays(1))).isEqualTo(Optional.empty());
    } finally {
      reader.shutdownNow();
    }
  }

  @Test
  void asksForFewerChangesIfAPageIsTooLarge() {
    String large = "{\"success\":true,\"msg\":\"" + "x".repeat(16 * 1024 * 1024) + "\"}";
    server.json(200, large).json(200, page("c_1", 1));
    try (ChangeStream stream = client.changes("c_0")) {
      assertThat(stream.poll(Duration.ZERO)).isPresent();
    }
    assertThat(asked())
        .containsExactly("limit=1000&wait=0&after=c_0", "limit=100&wait=0&after=c_0");
  }

  @Test
  void asksForTheLatestCursorOnly() {
    server.json(200, page("c_9"));
    assertThat(client.latestCursor()).isEqualTo("c_9");
    assertThat(asked()).containsExactly("limit=1&wait=0&after=latest");
  }

  @Test
  void readsASnapshotPageByPage() {
    String product =
        """
        {"pid":%d,"artNo":"A1","entries":[\
        {"guid":"0a","barCode":null,"color":"red","size":36,"stock":4}]}""";
    String page =
        "{\"success\":true,\"msg\":\"\",\"cursor\":\"%s\",\"next\":\"%s\",\"products\":[%s]}";
    server
        .json(200, page.formatted("c_1", "s_2", product.formatted(1)))
        .json(200, page.formatted("c_5", "", product.formatted(2)));
    Snapshot snapshot = client.snapshot();
    assertThat(snapshot.cursor()).isEqualTo("c_1");
    assertThat(snapshot.products().limit(1).map(ProductStock::pid)).containsExactly(1);
    assertThat(server.received()).hasSize(1);
    assertThat(snapshot.products().map(ProductStock::pid)).containsExactly(1, 2);
    assertThat(asked()).containsExactly("limit=500", "limit=500&after=s_2");
  }
}
