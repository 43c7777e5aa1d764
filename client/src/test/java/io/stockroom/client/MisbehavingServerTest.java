package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How each failure of one attempt is reported; SafeRetriesTest covers which of them are retried.
 */
class MisbehavingServerTest {
  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = time.client(server, 0).retries(0).build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private UnexpectedAnswerException unexpected() {
    UnexpectedAnswerException failure =
        catchThrowableOfType(UnexpectedAnswerException.class, () -> client.stock(1));
    assertThat(failure).as("an unexpected answer").isNotNull();
    return failure;
  }

  @Test
  void showsTheBeginningOfAProxysPage() {
    server.page(200, "text/html", "<html>\r\n<title>Sign in</title>" + "x".repeat(500));
    UnexpectedAnswerException failure = unexpected();
    assertThat(failure)
        .hasMessageContaining("/Stock/List is not one of Stockroom's: it is not JSON")
        .hasMessageContaining("the status 200, the content type text/html and begins with: <html>");
    assertThat(failure.contentType()).contains("text/html");
    assertThat(failure.status()).hasValue(200);
    assertThat(failure.beginning()).startsWith("<html>  <title>Sign in</title>xxx").hasSize(200);
  }

  @Test
  void reportsARedirectWithoutFollowingIt() {
    server.raw(ScriptedServer.whole(302, "Location: https://login.example/\r\n", ""));
    assertThat(unexpected())
        .hasMessageContaining("it is empty")
        .hasMessageContaining("the status 302, no content type, points to https://login.example/");
  }

  @Test
  void reportsAnEmptyResponse() {
    server.page(200, "application/json", "");
    assertThat(unexpected()).hasMessageContaining("it is empty").hasMessageContaining("no content");
  }

  @Test
  void reportsABadGateway() {
    server.page(502, "text/plain", "upstream failed");
    assertThat(unexpected()).hasMessageContaining("upstream failed");
  }

  @Test
  void reportsJsonThatIsNotAnObject() {
    server.json(200, "[1,2]");
    assertThat(unexpected()).hasMessageContaining("it is not a JSON object");
  }

  @Test
  void reportsJsonWithoutSuccess() {
    server.json(200, "{\"status\":\"UP\"}");
    assertThat(unexpected()).hasMessageContaining("\"success\" is missing");
  }

  @Test
  void namesAFieldOfTheWrongType() {
    server.json(200, "{\"success\":true,\"data\":[{\"guid\":7}],\"msg\":\"\"}");
    assertThat(unexpected()).hasMessageContaining("\"guid\" is missing or is not a text");
  }

  @Test
  void showsTheBeginningOfATruncatedResponse() {
    server.raw(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"succ");
    UnexpectedAnswerException failure = unexpected();
    assertThat(failure).hasMessageContaining("it is truncated");
    assertThat(failure.beginning()).isEqualTo("{\"succ");
  }

  @Test
  void stopsReadingAHugeResponse() {
    byte[] mebibyte = "x".repeat(1024 * 1024).getBytes(StandardCharsets.UTF_8);
    CountDownLatch hungUp = new CountDownLatch(1);
    server.step(
        out -> {
          out.write("HTTP/1.1 200 OK\r\n\r\n{\"data\":\"".getBytes(StandardCharsets.UTF_8));
          try {
            while (true) {
              out.write(mebibyte);
            }
          } finally {
            hungUp.countDown();
          }
        });
    UnexpectedAnswerException failure = unexpected();
    assertThat(failure).hasMessageContaining("it is too large");
    assertThat(failure.beginning()).startsWith("{\"data\":\"xxx");
    assertThat(hungUp).satisfies(latch -> latch.await());
  }

  @Test
  void reportsAConnectionThatFailsBeforeTheResponse() {
    server.cut();
    assertThatThrownBy(() -> client.stock(1))
        .isInstanceOf(NoAnswerException.class)
        .hasMessageContaining("failed before a response arrived");
  }

  @Test
  void timesOutWhenTheServerDoesNotRespond() {
    server.silent("");
    assertLate();
  }

  @Test
  void timesOutWhenTheBodyNeverEnds() {
    server.silent("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
    assertLate();
  }

  private void assertLate() {
    try (StockroomClient hasty =
        time.client(server, 0).retries(0).timeout(Duration.ofMillis(200)).build()) {
      assertThatThrownBy(() -> hasty.stock(1))
          .isInstanceOf(NoAnswerException.class)
          .hasMessageContaining("did not respond within 0.2 seconds");
    }
  }

  @Test
  void reportsARefusedConnection() throws IOException {
    try (Unreachable nowhere = new Unreachable();
        StockroomClient lost = time.client(nowhere.address(), 0).build()) {
      assertThatThrownBy(() -> lost.stock(1))
          .isInstanceOf(NoAnswerException.class)
          .hasMessageContaining(
              nowhere.address() + "/Stock/List cannot be reached: the connection was refused");
    }
  }

  @Test
  void reportsAnUnknownHost() {
    try (StockroomClient lost = time.client("http://stock.invalid", 0).build()) {
      assertThatThrownBy(() -> lost.stock(1))
          .isInstanceOf(NoAnswerException.class)
          .hasMessageContaining("cannot be reached: the host stock.invalid is unknown");
    }
  }

  @Test
  void reportsA404OfTheServer() {
    server.rejection(404, "", "NOT_FOUND");
    assertThatThrownBy(() -> client.stock(1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("status 404, NOT_FOUND");
  }

  @Test
  void reportsTheRequestIdOfAServerError() {
    server.rejection(500, "", "INTERNAL");
    ServerErrorException failure =
        catchThrowableOfType(ServerErrorException.class, () -> client.stock(1));
    assertThat(failure.requestId()).contains("r1");
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void stopsWaitingOnInterruptAndKeepsTheFlag() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    server.step(
        out -> {
          asked.countDown();
          server.awaitClose();
        });
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicReference<Boolean> flag = new AtomicReference<>(false);
    Thread caller =
        new Thread(
            () -> {
              try {
                client.stock(1);
              } catch (StockroomException e) {
                thrown.set(e);
                flag.set(Thread.currentThread().isInterrupted());
              }
            });
    caller.start();
    asked.await();
    caller.interrupt();
    caller.join();
    assertThat(thrown.get()).isInstanceOf(CallInterruptedException.class);
    assertThat(flag.get()).isTrue();
  }
}
