package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OpenLoadTest {
  /** On a busy machine the driver is late, and says so. */
  private static final String ON_TIME_OR_LATE = "(\\d+ ms late at p99, sent by the driver)?";

  private static final List<byte[]> REQUESTS =
      List.of("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab".getBytes(UTF_8));

  private final AtomicInteger asked = new AtomicInteger();
  private volatile int rejectEvery = Integer.MAX_VALUE;
  private volatile long pauseMillis;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          boolean refused = asked.incrementAndGet() % rejectEvery == 0;
          LockSupport.parkNanos(pauseMillis * 1_000_000);
          exchange.getRequestBody().readAllBytes();
          byte[] body = "{\"success\":%s}".formatted(!refused).getBytes(UTF_8);
          if (refused) {
            exchange.getResponseHeaders().add("Retry-After", "1");
            exchange.getResponseHeaders().add("Connection", "close");
          }
          exchange.getResponseHeaders().add("x", "y".repeat(100));
          exchange.sendResponseHeaders(refused ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void sendsOnScheduleRegardlessOfResponses() throws IOException {
    pauseMillis = 300;

    Outcomes outcomes = load(1000).open(REQUESTS, 400, 0.5);

    // a busy machine sends some of them after the measurement
    assertThat(outcomes.successes().count()).isBetween(100, 200);
    assertThat(outcomes.offered()).isCloseTo(400, within(5.0));
    // responses of the last 300 ms arrive after the measurement
    assertThat(outcomes.goodput()).isLessThan(250);
    assertThat(outcomes.successes().millis(50)).isGreaterThan(295.0);
    assertThat(outcomes.faults()).matches(ON_TIME_OR_LATE);
  }

  @Test
  void doesNotCountTheFirstSecondOfASteadyLoad() throws IOException {
    LoadResult result = load(100).steady(REQUESTS, 50, 1);

    assertThat(result.requests()).isBetween(1L, 50L);
    // a busy machine sends fewer
    assertThat(asked.get()).isBetween((int) result.requests() + 1, 100);
  }

  @Test
  void distinguishesRejectionsFromSuccessesAndReconnects() throws IOException {
    rejectEvery = 4;

    Outcomes outcomes = load(100).open(REQUESTS, 200, 1);

    // a busy machine sends some of them after the measurement
    assertThat(outcomes.rejections().count()).isBetween(20, 50);
    assertThat(outcomes.successes().count()).isBetween(60, 150);
    assertThat(outcomes.secondsUntilWell(10_000)).isGreaterThan(0.5);
    assertThat(outcomes.faults()).matches(ON_TIME_OR_LATE);
  }

  @Test
  void countsLatencyFromTheDueTime() throws IOException {
    pauseMillis = 300;

    // the second is due after 100 ms and waits for the only connection
    LoadResult load = load(1).paced(REQUESTS, 10, 1);

    assertThat(load.p50Millis()).isGreaterThan(450.0);
  }

  @Test
  void failsIfOneOfThePacedRequestsIsRejected() {
    rejectEvery = 10;

    assertThatThrownBy(() -> load(100).paced(REQUESTS, 100, 1))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("were rejected");
  }

  @Test
  void keepsAFixedNumberOfRequestsInFlight() throws IOException {
    pauseMillis = 50;

    Outcomes outcomes = load(100).closed(REQUESTS, 4, 1);

    assertThat(outcomes.goodput()).isBetween(20.0, 85.0);
  }

  @Test
  void reportsUnsentAndFailedRequests() throws IOException {
    pauseMillis = 500;
    // on a busy machine it also reports that the driver was late
    assertThat(load(10).open(REQUESTS, 100, 0.2).faults())
        .startsWith("10 not sent, out of connections");
    int port = server.getAddress().getPort();
    server.stop(0);
    assertThat(new OpenLoad(port, 10).open(REQUESTS, 50, 0.2).faults()).startsWith("10 broken");
  }

  @Test
  void generatesTheSameRequestForTheSameNumber() {
    Marketplace.Account account = new Marketplace.Account(1, "app_x", "secret", "srt_x");
    MalformedRequests bent = new MalformedRequests(account);
    Random numbers = new Random(1);
    for (int i = 0; i < 100; i++) {
      long number = numbers.nextLong();
      assertThat(bent.make(number)).isEqualTo(bent.make(number)).isNotEmpty();
    }
  }

  private OpenLoad load(int connections) {
    return new OpenLoad(server.getAddress().getPort(), connections);
  }
}
