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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StalledDatabaseTest {
  private static final Duration BOUND = Duration.ofSeconds(2);
  private static final Duration RECOVERY = Duration.ofSeconds(5);
  private static final int CALLERS = 20;

  @TempDir Path folder;

  private record Timed(Reply reply, Duration time) {}

  @Test
  void rejectsWithinTwoSecondsStaysAliveAndRecoversWithinFive() throws Exception {
    DatabaseAddress address = OwnDatabase.create();
    int port = Integer.parseInt(address.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
    try (StallingProxy proxy = new StallingProxy(port);
        Stockroom stockroom = Stockroom.start(folder, settings(address, port, proxy.port()));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      TestMerchant merchant = TestMerchant.on(TestServer.of(stockroom));
      Api api = merchant.api();
      int pid = merchant.product();

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
        assertThat(get(stockroom, "live").status()).isEqualTo(200);
        assertThat(get(stockroom, "ready").status()).isEqualTo(503);
      }

      proxy.stall(false);
      assertThat(
              Eventually.within(
                  RECOVERY,
                  () ->
                      api.create(Stock.one(pid, "c", "36-40", 1)).status() == 200
                          && get(stockroom, "ready").status() == 200))
          .isTrue();
    }
  }

  private static Settings settings(DatabaseAddress address, int port, int proxyPort) {
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(address));
    settings.put("database.url", address.jdbcUrl().replace(":" + port, ":" + proxyPort));
    settings.put("limits.create-interval", "PT0S");
    return Settings.with(settings);
  }

  private static Timed timed(java.util.function.Supplier<Reply> call) {
    long start = System.nanoTime();
    Reply reply = call.get();
    return new Timed(reply, Duration.ofNanos(System.nanoTime() - start));
  }

  private static Reply get(Stockroom stockroom, String probe) {
    URI uri = URI.create("http://127.0.0.1:%d/health/%s".formatted(stockroom.adminPort(), probe));
    return Http.send(HttpRequest.newBuilder(uri).GET());
  }
}
