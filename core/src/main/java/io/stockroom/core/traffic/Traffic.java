package io.stockroom.core.traffic;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.database.Database;
import io.stockroom.core.settings.Settings;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes note of every call. The one who calls only adds to memory; a thread of its own brings it
 * into the database. So no call waits for this or fails by it, and what is lost with a killed
 * server are the last seconds.
 */
public final class Traffic implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Traffic.class);

  private static final int COUNTS_EVERY = 2;
  private static final int HEARTBEAT_EVERY = 5;
  private static final Duration MAX_FAREWELL = Duration.ofSeconds(10);

  private record Refusal(String endpoint, String code) {}

  /** Something that may fail while the database is out of reach. */
  private interface Step {
    void run() throws SQLException;
  }

  private final Clock clock;
  private final boolean counting;
  private final Counts counts;
  private final TrafficTable table;
  private final LogSampler keeping;
  private final RequestLogWriter writer;
  private final Heartbeat heartbeat;
  private final MeterRegistry meters;
  private final Counter kept;
  private final Counter skipped;
  private final Map<Refusal, Counter> refusals = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  public Traffic(Database database, Clock clock, Settings settings, MeterRegistry meters) {
    this.clock = clock;
    this.counting = settings.get(Settings.TRAFFIC_DAYS) > 0;
    this.counts = new Counts(database, clock);
    this.table = new TrafficTable(database, clock, settings.get(Settings.TRAFFIC_DAYS));
    this.keeping = new LogSampler(clock, settings);
    this.writer = new RequestLogWriter(database, settings);
    this.heartbeat = new Heartbeat(database, clock, meters);
    this.meters = meters;
    this.kept = logged("kept");
    this.skipped = logged("skipped");
    Gauge.builder("stockroom.request.log.waiting", writer, RequestLogWriter::queued)
        .description("Calls that wait to be written into the request log")
        .register(meters);
    this.thread = Thread.ofPlatform().daemon().name("traffic").start(this::work);
  }

  private Counter logged(String result) {
    return Counter.builder("stockroom.request.log.calls")
        .description("Calls that the request log kept, or skipped to stay within its bounds")
        .tag("result", result)
        .register(meters);
  }

  /** Takes note of a call; {@code content} is only asked for where the request log keeps it. */
  public void note(Exchange exchange, Supplier<Exchange.Content> content) {
    try {
      record(exchange, content);
    } catch (RuntimeException failure) {
      // the call itself is answered, and must not fail by this
      log.warn("the call {} was not noted", exchange.requestId(), failure);
    }
  }

  /** Takes note of a call that is not for the request log. */
  public void count(Exchange exchange) {
    count(exchange, false);
  }

  private void record(Exchange exchange, Supplier<Exchange.Content> content) {
    boolean logs =
        keeping.keeps(exchange)
            && writer.offer(LoggedCall.of(clock.instant(), exchange, content.get()));
    if (keeping.isOn()) {
      (logs ? kept : skipped).increment();
    }
    count(exchange, logs);
  }

  private void count(Exchange exchange, boolean logs) {
    if (counting) {
      counts.add(exchange, logs || !keeping.isOn());
    }
    if (!exchange.isSuccess()) {
      refusals
          .computeIfAbsent(new Refusal(exchange.endpoint(), exchange.code()), this::refusal)
          .increment();
    }
  }

  private Counter refusal(Refusal refusal) {
    return Counter.builder("stockroom.refusals")
        .description("Calls that were refused or failed, by address and error code")
        .tag("path", refusal.endpoint)
        .tag("code", refusal.code)
        .register(meters);
  }

  private void work() {
    attempt(heartbeat::beat);
    for (int second = 1; !isClosing(); second++) {
      attempt(writer::flush);
      if (second % COUNTS_EVERY == 0) {
        attempt(counts::flush);
      }
      if (second % HEARTBEAT_EVERY == 0) {
        attempt(heartbeat::beat);
      }
    }
  }

  private boolean isClosing() {
    try {
      return closing.await(1, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static void attempt(Step step) {
    try {
      step.run();
    } catch (SQLException | RuntimeException failure) {
      log.debug("the traffic is written later: {}", failure.getMessage());
    }
  }

  /** A chore: lets go of what is too old or too much. */
  public void forgetOld() throws SQLException {
    table.tidy();
    writer.forgetOld(clock.instant());
  }

  /** Writes down what is still in memory. */
  @Override
  public void close() {
    closing.countDown();
    try {
      var _ = thread.join(MAX_FAREWELL);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    attempt(writer::flush);
    attempt(counts::flush);
    attempt(heartbeat::leave);
  }
}
