package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrainTest {
  private static final Duration DRAIN = Duration.ofSeconds(2);

  @TempDir Path folder;

  @Test
  void isNotReadyWhileDrainingAndThenStops() throws Exception {
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(OwnDatabase.withTables()));
    settings.put("drain-time", DRAIN.toString());
    Stockroom stockroom = Stockroom.start(folder, Settings.with(settings));
    TestMerchant merchant = TestMerchant.on(TestServer.of(stockroom));
    URI ready = URI.create("http://127.0.0.1:%d/health/ready".formatted(stockroom.adminPort()));
    assertThat(status(ready)).isEqualTo(200);

    long start = System.nanoTime();
    Thread closing = Thread.ofVirtual().start(stockroom::close);

    assertThat(Eventually.within(DRAIN, () -> status(ready) == 503)).isTrue();
    assertThat(merchant.api().products("page=1").status()).isEqualTo(200);
    assertThat(closing.join(Duration.ofSeconds(30))).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(DRAIN);
  }

  private static int status(URI uri) {
    return Http.send(HttpRequest.newBuilder(uri).GET()).status();
  }
}
