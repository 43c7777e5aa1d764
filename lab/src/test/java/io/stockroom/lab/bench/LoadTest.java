package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LoadTest {
  private static final byte[] REQUEST =
      "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab".getBytes(UTF_8);

  private final AtomicInteger answered = new AtomicInteger();
  private volatile String answer = "{\"success\":true}";
  private volatile int shed;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          int number = answered.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          byte[] body = answer.getBytes(UTF_8);
          // every other response is chunked, as a server may choose
          exchange.sendResponseHeaders(
              number <= shed ? 503 : 200, number % 2 == 0 ? 0 : body.length);
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
  void sendsEachRequestOnce() throws Exception {
    LoadResult load = driver(4).each(List.of(REQUEST, REQUEST, REQUEST, REQUEST, REQUEST));

    assertThat(load.requests()).isEqualTo(5);
    assertThat(answered).hasValue(5);
  }

  @Test
  void stopsAtAFailedResponse() {
    answer = "{\"success\":false,\"msg\":\"too many\"}";

    assertThatThrownBy(() -> driver(2).each(List.of(REQUEST)))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("too many");
  }

  @Test
  void sendsAgainWhatTheServerShedsOnlyDuringTheWarmUp() throws Exception {
    shed = 2;
    LoadResult load =
        LoadDriver.resending(server.getAddress().getPort(), 1).each(List.of(REQUEST, REQUEST));

    assertThat(load.requests()).isEqualTo(2);
    assertThat(answered).hasValue(4);

    shed = 5;
    assertThatThrownBy(() -> driver(1).each(List.of(REQUEST))).hasMessageContaining("503");
  }

  @Test
  void givesUpIfTheServerShedsEverything() {
    shed = Integer.MAX_VALUE;
    LoadDriver resending = LoadDriver.resending(server.getAddress().getPort(), 1);

    assertThatThrownBy(() -> resending.each(List.of(REQUEST))).hasMessageContaining("503");
  }

  @Test
  void failsWhenItRunsOutOfRequests() {
    assertThatThrownBy(() -> driver(1).closed(List.of(REQUEST), true, 30))
        .hasMessageContaining("before the time was up");
  }

  @Test
  void findsPercentilesByRank() {
    long[] millis = new long[200];
    for (int i = 0; i < 200; i++) {
      millis[i] = (200 - i) * 1_000_000L;
    }
    Latencies latencies = Latencies.of(List.of(millis, new long[0]));

    assertThat(latencies.millis(50)).isEqualTo(100);
    assertThat(latencies.millis(99)).isEqualTo(198);
    assertThat(latencies.millis(100)).isEqualTo(200);
    assertThat(Latencies.of(List.of()).millis(99)).isZero();
  }

  @Test
  void parsesTheOutputOfWrk() {
    assertThat(Wrk.read("Running 1s test\nbench 5000 2000000 8000.0 25000.5 0 0\n"))
        .isEqualTo(new LoadResult(5000, 2500, 8, 25.0005));
    assertThatThrownBy(() -> Wrk.read("bench 5000 2000000 8000.0 25000.5 3 0"))
        .hasMessageContaining("3 of 5000");
    assertThatThrownBy(() -> Wrk.read("bench 5000 2000000 8000.0 25000.5 0 1"))
        .hasMessageContaining("before the time was up");
    assertThatThrownBy(() -> Wrk.read("unable to connect")).hasMessageContaining("unable");
  }

  @Test
  void parsesTheOutputOfPgbench() {
    String good = "number of failed transactions: 0 (0.000%)\ntps = 123.5 (without initial)\n";

    assertThat(Pgbench.read(good)).isEqualTo(123.5);
    assertThatThrownBy(() -> Pgbench.read(good.replace(": 0 (", ": 2 (")))
        .isInstanceOf(BenchException.class);
    assertThatThrownBy(() -> Pgbench.read("client 3 aborted\n" + good))
        .isInstanceOf(BenchException.class);
  }

  private LoadDriver driver(int connections) {
    return new LoadDriver(server.getAddress().getPort(), connections);
  }
}
