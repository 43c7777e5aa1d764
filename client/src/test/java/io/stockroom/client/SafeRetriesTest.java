package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which failures are retried for which calls: the table of docs/sdk.md. */
class SafeRetriesTest {
  private static final String LIST = "{\"success\":true,\"msg\":\"\",\"totalPages\":0,\"data\":[]}";

  private static final String USAGE =
      """
      {"success":true,"msg":"","data":{"limits":[],\
      "unpublished":{"page":1,"totalPages":0,"total":0,"data":[]}}}""";

  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = time.client(server, 0).build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  /** Failures after which it is unknown whether the server did the work. */
  static List<Named<Consumer<ScriptedServer>>> lostAnswers() {
    return List.of(
        Named.of("reset", ScriptedServer::cut),
        Named.of("bad gateway", server -> server.page(502, "text/html", "bad")),
        Named.of("gateway timeout", server -> server.page(504, "text/html", "late")),
        Named.of("no content", server -> server.page(200, "text/plain", "")),
        Named.of(
            "cut", server -> server.raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"succ")));
  }

  /** Calls that change nothing and cost nothing. */
  private static List<Consumer<StockroomClient>> reads() {
    return List.of(
        client -> client.productPage(1, StockFilter.ALL),
        client -> client.stock(1),
        client -> client.usage());
  }

  /** Calls that could be charged twice or could undo someone else's change when repeated. */
  private static List<Consumer<StockroomClient>> others() {
    return List.of(
        client -> client.detail(1),
        client -> client.publish(List.of(PublishResult.published(1, "https://shop.example/1"))));
  }

  @ParameterizedTest
  @MethodSource("lostAnswers")
  void retriesAReadAfterALostResponse(Consumer<ScriptedServer> lost) {
    List<String> answers = List.of(LIST, LIST, USAGE);
    for (int i = 0; i < answers.size(); i++) {
      lost.accept(server);
      server.json(200, answers.get(i));
      reads().get(i).accept(client);
    }
    assertThat(server.received()).hasSize(6);
  }

  @ParameterizedTest
  @MethodSource("lostAnswers")
  void neverRetriesOtherCallsAfterALostResponse(Consumer<ScriptedServer> lost) {
    for (Consumer<StockroomClient> other : others()) {
      lost.accept(server);
      assertThat(catchThrowable(() -> other.accept(client)))
          .isInstanceOfAny(NoAnswerException.class, UnexpectedAnswerException.class);
    }
    assertThat(server.received()).hasSize(2);
    assertThat(time.waits()).isEmpty();
  }

  @Test
  void retriesAReadAfterATimeout() {
    server.silent("").json(200, LIST);
    try (StockroomClient hasty = time.client(server, 0).timeout(Duration.ofMillis(300)).build()) {
      assertThat(hasty.stock(1)).isEmpty();
    }
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void retriesAReadWithBackoffUpToTheMaximum() {
    for (int i = 0; i < 5; i++) {
      server.cut();
    }
    try (StockroomClient unlucky = time.client(server, 1).build()) {
      assertThatThrownBy(() -> unlucky.stock(1)).isInstanceOf(NoAnswerException.class);
    }
    assertThat(server.received()).hasSize(5);
    assertThat(time.waits())
        .containsExactly(
            Duration.ofMillis(1000),
            Duration.ofMillis(1500),
            Duration.ofMillis(2500),
            Duration.ofMillis(4500));
  }

  @Test
  void retriesEveryCallThatCouldNotConnect() throws IOException {
    List<Consumer<StockroomClient>> all =
        Stream.of(reads(), others()).flatMap(List::stream).toList();
    for (Consumer<StockroomClient> call : all) {
      Unreachable nowhere = new Unreachable();
      // the server starts while the client waits
      ScriptedServer[] late = new ScriptedServer[1];
      Sleeper pause =
          wait -> {
            time.of(wait);
            late[0] = listenAt(nowhere);
          };
      try (StockroomClient patient =
          time.client(nowhere.address(), 0).waiting(pause, () -> 0).build()) {
        assertThat(catchThrowable(() -> call.accept(patient)))
            .isInstanceOf(ServerErrorException.class);
        assertThat(late[0].received()).hasSize(1);
      } finally {
        late[0].close();
      }
    }
  }

  private static ScriptedServer listenAt(Unreachable nowhere) {
    int port = nowhere.port();
    try {
      nowhere.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ScriptedServer(port).rejection(500, "", "INTERNAL");
  }

  @Test
  void givesUpWhenItCanNeverConnect() throws IOException {
    try (Unreachable nowhere = new Unreachable();
        StockroomClient lost = time.client(nowhere.address(), 0).build()) {
      assertThatThrownBy(() -> lost.detail(1)).isInstanceOf(NoAnswerException.class);
    }
    assertThat(time.waits()).hasSize(4);
  }

  @Test
  void neverRetriesAPermanentFailure() {
    server.rejection(500, "", "INTERNAL");
    server.page(200, "text/html", "<html>Sign in</html>");
    server.raw(ScriptedServer.whole(302, "Location: https://login.example/\r\n", ""));
    assertThatThrownBy(() -> client.stock(1)).isInstanceOf(ServerErrorException.class);
    assertThatThrownBy(() -> client.stock(1)).isInstanceOf(UnexpectedAnswerException.class);
    assertThatThrownBy(() -> client.stock(1)).isInstanceOf(UnexpectedAnswerException.class);
    assertThat(server.received()).hasSize(3);
  }
}
