package io.stockroom.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.LongTransaction;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A merchant whose rows are locked by an import does not block other merchants' creates. */
class BusyMerchantTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int TOKENS = 24;

  private final TestServer server = TestServer.shared();
  private final ConcurrencyLimit limit = server.limits().of(CallKind.CREATE);
  private final TestMerchant busy = TestMerchant.fresh();
  private final TestMerchant other = TestMerchant.fresh();
  private final int busyPid = busy.product();
  private final int otherPid = other.product();

  @Test
  void doesNotBlockOthersAndIsShedImmediately() throws Exception {
    List<Api> tokens = new ArrayList<>();
    for (int i = 0; i < TOKENS; i++) {
      tokens.add(busy.token("\"boundStore\":\"shop" + i + "\""));
    }
    Queue<Reply> refused = new ConcurrentLinkedQueue<>();
    AtomicBoolean released = new AtomicBoolean();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      try (LongTransaction held = server.database().begin()) {
        holdAsAnImportDoes(held);
        for (Api token : tokens) {
          running.add(callers.submit(() -> createUntil(released, token, refused)));
        }
        assertThat(Eventually.within(SOON, () -> isRejectedAsBusy(refused))).isTrue();

        for (int i = 0; i < 5; i++) {
          Reply reply = other.api().create(Stock.one(otherPid, "red", "" + (36 + i), 1));
          assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        }
        assertThat(limit.active()).isLessThanOrEqualTo(Math.ceilDiv(limit.max(), 2));
        assertThat(busy.api().products("page=1").status()).isEqualTo(200);
      } finally {
        released.set(true);
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    assertThat(other.entries()).isEqualTo(5);
    assertThat(
            Eventually.within(
                SOON, () -> busy.api().create(Stock.one(busyPid, "red", "99", 1)).status() == 200))
        .as("its creates go on when the import has ended")
        .isTrue();
  }

  private void holdAsAnImportDoes(LongTransaction held) throws Exception {
    try (Statement statement = held.connection().createStatement()) {
      statement.execute(
          "select 1 from merchant_data where merchant_id = %d for no key update"
              .formatted(busy.id()));
      statement.execute(
          "select 1 from product where merchant_id = %d order by product_id for no key update"
              .formatted(busy.id()));
    }
  }

  private static boolean isRejectedAsBusy(Queue<Reply> refused) {
    return refused.stream().anyMatch(reply -> reply.codes().contains("MERCHANT_BUSY"));
  }

  /** Sends one create after the other without backing off. */
  private void createUntil(AtomicBoolean released, Api token, Queue<Reply> refused) {
    for (int size = 1; size < 400 && !released.get(); size++) {
      Reply reply = token.create(Stock.one(busyPid, "red", "" + size, 1));
      if (reply.status() != 200) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(503);
        assertThat(reply.codes()).containsAnyOf("MERCHANT_BUSY", "OVERLOADED");
        assertThat(reply.header("retry-after")).isPresent();
        refused.add(reply);
      }
    }
  }
}
