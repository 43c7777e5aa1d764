package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.StallingProxy;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server behind a proxy that lets its only database hang, or refuses every connection to it. */
class StalledDatabaseTest {
  private static final Duration BOUND = Duration.ofSeconds(2);
  private static final Duration RECOVERY = Duration.ofSeconds(5);

  /** Less than a caller waits in the pool. */
  private static final Duration AT_ONCE = Duration.ofMillis(400);

  private static final int CALLERS = 20;

  @TempDir static Path folder;

  private static StallingProxy proxy;
  private static Stockroom stockroom;
  private static Api api;
  private static int pid;

  private record Timed(Reply reply, Duration time) {}

  @BeforeAll
  static void start() throws Exception {
    DatabaseAddress address = OwnDatabase.create();
    int port = Integer.parseInt(address.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
    proxy = new StallingProxy(port);
    stockroom = Stockroom.start(folder, settings(address, port, proxy.port()));
    TestMerchant merchant = TestMerchant.on(TestServer.of(stockroom));
    api = merchant.api();
    pid = merchant.product();
  }

  @AfterAll
  static void stop() {
    stockroom.close();
    proxy.close();
  }

  @Test
  void rejectsWithinTwoSecondsStaysAliveAndRecoversWithinFive() throws Exception {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      proxy.stall(true);
      for (int wave = 0; wave < 2; wave++) {
        List<Future<Timed>> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          String body = Stock.one(pid, "c" + i, "36-40", wave);
          calls.add(callers.submit(() -> timed(() -> api.create(body))));
        }
        for (Future<Timed> call : calls) {
          assertThat(call.get().reply().status()).isEqualTo(503);
          assertThat(call.get().time()).isLessThan(BOUND);
        }
        assertThat(get("/health/live").status()).isEqualTo(200);
        assertThat(get("/health/ready").status()).isEqualTo(503);
      }
    } finally {
      proxy.stall(false);
    }
    assertWorksAgain();
  }

  @Test
  void saysThatTheDatabaseIsDownAndRejectsAtOnceWhileItIsStopped() throws Exception {
    assertThat(answers()).isEqualTo("1.0");
    proxy.refuse(true);
    try {
      assertThat(Eventually.within(RECOVERY, () -> answers().equals("0.0"))).isTrue();
      assertThat(
              Eventually.within(
                  RECOVERY,
                  () -> {
                    Timed call = timed(() -> api.create(Stock.one(pid, "down", "36", 1)));
                    return call.reply().status() == 503 && call.time().compareTo(AT_ONCE) < 0;
                  }))
          .isTrue();
      assertThat(get("/health/ready").status()).isEqualTo(503);
    } finally {
      proxy.refuse(false);
    }
    assertWorksAgain();
    assertThat(answers()).isEqualTo("1.0");
  }

  private static void assertWorksAgain() {
    assertThat(
            Eventually.within(
                RECOVERY,
                () ->
                    api.create(Stock.one(pid, "c", "36-40", 1)).status() == 200
                        && get("/health/ready").status() == 200))
        .isTrue();
  }

  private static String answers() {
    String metric = "stockroom_database_answers{database=\"directory\"} ";
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(metric))
        .findFirst()
        .orElseThrow()
        .substring(metric.length());
  }

  private static Settings settings(DatabaseAddress address, int port, int proxyPort) {
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(address));
    settings.put("database.url", address.jdbcUrl().replace(":" + port, ":" + proxyPort));
    settings.put("limits.create-interval", "PT0S");
    return Settings.with(settings);
  }

  private static Timed timed(Supplier<Reply> call) {
    long start = System.nanoTime();
    Reply reply = call.get();
    return new Timed(reply, Duration.ofNanos(System.nanoTime() - start));
  }

  private static Reply get(String path) {
    URI uri = URI.create("http://127.0.0.1:" + stockroom.adminPort() + path);
    return Http.send(HttpRequest.newBuilder(uri).GET());
  }
}
