package io.stockroom.core.stock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.catalogue.ProductDetail;
import io.stockroom.core.database.Cells;
import io.stockroom.core.limits.DetailLimits;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/**
 * How often a call waits for the database: the driver logs each message that asks for an answer.
 */
class RoundTripsTest {
  private static final Logger DRIVER = Logger.getLogger("org.postgresql.core.v3.QueryExecutorImpl");

  private final TestMerchant merchant = TestMerchant.fresh();
  private final int pid = merchant.product();
  private final Instant time = Instant.now();
  private final Cells cells = TestServer.shared().cells();
  private final IdempotentReplies replies = new IdempotentReplies(cells);
  private final CreateStock create =
      new CreateStock(new StockEntries(Clock.systemUTC(), true), replies, false);

  /** Counts the messages of this thread, and of threads that send the time of the test. */
  private final class Counter extends Handler {
    private final Set<Long> threads = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final SimpleFormatter formatter = new SimpleFormatter();

    Counter() {
      threads.add(Thread.currentThread().threadId());
    }

    @Override
    public void publish(LogRecord entry) {
      String message = formatter.formatMessage(entry);
      if (message.contains(time.toString())) {
        threads.add(entry.getLongThreadID());
      }
      if (threads.contains(entry.getLongThreadID()) && message.contains("FE=> Sync")) {
        count.incrementAndGet();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private <R> int roundTrips(Endpoint<R> endpoint, int timestamp, String body) throws Exception {
    Limits limits = Limits.of(Settings.with(Map.of()), Map.of("limits.create-interval", "PT0S"));
    Caller caller = new Caller(merchant.id(), 1, "app", 1, "", "127.0.0.1", limits);
    Call call = new Call(caller, timestamp, Language.ENGLISH);
    R request =
        endpoint.read(call, RequestContent.of(RequestContent.JSON, "", body.getBytes(UTF_8)));
    Counter counter = new Counter();
    DRIVER.setUseParentHandlers(false);
    DRIVER.addHandler(counter);
    DRIVER.setLevel(Level.FINEST);
    try {
      assertThat(endpoint.answer(call, request).code()).isEmpty();
    } finally {
      DRIVER.setLevel(null);
      DRIVER.removeHandler(counter);
      DRIVER.setUseParentHandlers(true);
    }
    return counter.count.get();
  }

  private int create(int timestamp, int stock) throws Exception {
    String body =
        """
        [{"color":"red","pid":%d,"param":[{"size":"38","stock":%d}]}]\
        """
            .formatted(pid, stock);
    return roundTrips(create, timestamp, body);
  }

  @Test
  void createsInFive() throws Exception {
    create(1, 7);

    assertThat(create(2, 8)).isEqualTo(5);
  }

  @Test
  void adjustsInFive() throws Exception {
    create(1, 7);
    String body =
        """
        [{"pid":%d,"color":"red","size":38,"change":-1}]\
        """
            .formatted(pid);

    assertThat(roundTrips(new AdjustStock(replies), 2, body)).isEqualTo(5);
  }

  @Test
  void readsADetailInThree() throws Exception {
    ProductDetail detail = new ProductDetail(cells, new DetailLimits(() -> Optional.of(time)));

    assertThat(roundTrips(detail, 1, "{\"pid\":%d}".formatted(pid))).isEqualTo(3);
  }
}
