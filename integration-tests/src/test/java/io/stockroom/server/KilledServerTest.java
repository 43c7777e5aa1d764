package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledServerTest {
  private static final int SIZES = 100;
  private static final int ENOUGH = 20;

  @TempDir Path folder;

  @Test
  void keepsAcknowledgedWritesAndNoPartialOnesAfterARestart() throws Exception {
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    Api api;
    int pid;
    try (ServerOwner owner = ServerOwner.start(folder)) {
      TestMerchant merchant = TestMerchant.on(owner.server());
      pid = merchant.product();
      api = merchant.api();
      Thread client = Thread.ofVirtual().start(() -> createUntilCut(api, pid, acknowledged));
      assertThat(Eventually.within(Duration.ofSeconds(60), () -> acknowledged.size() >= ENOUGH))
          .isTrue();
      owner.kill();
      assertThat(client.join(Duration.ofSeconds(30))).isTrue();
    }

    try (Stockroom again = Stockroom.start(folder, Settings.with(ServerOwner.SETTINGS))) {
      Reply reply = api.on(TestServer.of(again)).stock(pid);
      Map<String, Integer> found = new HashMap<>();
      reply.data("color").forEach(color -> found.merge(color, 1, Integer::sum));

      assertThat(found.keySet()).containsAll(List.copyOf(acknowledged));
      assertThat(found.values()).containsOnly(SIZES);
      assertThat(found).hasSizeBetween(acknowledged.size(), acknowledged.size() + 1);
      assertThat(api.on(TestServer.of(again)).products("page=1&stock=true").data()).hasSize(1);
    }
  }

  private static void createUntilCut(Api api, int pid, Queue<String> acknowledged) {
    try {
      for (int i = 0; i < 400; i++) {
        if (api.create(Stock.one(pid, "c" + i, "1-" + SIZES, i)).success()) {
          acknowledged.add("c" + i);
        }
      }
    } catch (UncheckedIOException cut) {
      // Expected: the server was killed; whether this request was committed is unknown.
    }
  }
}
