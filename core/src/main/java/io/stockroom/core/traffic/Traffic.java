package io.stockroom.core.traffic;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.StopSignal;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records every call. A call only adds to a queue in memory; one thread counts the calls and writes
 * them to the database. So recording never delays a call or makes it fail, but a killed server
 * loses the last seconds.
 */
public final class Traffic implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Traffic.class);

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int COUNTS_EVERY = 2;
  private static final int HEARTBEAT_EVERY = 5;
  private static final Duration MAX_FAREWELL = Duration.ofSeconds(10);

  /**
   * The maximum length of the queue; a call that finds it full does the counting itself. A long
   * queue would keep the garbage collector busy, and then the traffic thread for milliseconds.
   */
  private static final int MAX_UNCOUNTED = 250;

  private static final List<ErrorCode> ALERTING =
      List.of(
          ErrorCode.INTERNAL,
          ErrorCode.UNAVAILABLE,
          ErrorCode.OVERLOADED,
          ErrorCode.CREDENTIALS_WRONG,
          ErrorCode.AUTHENTICATION_THROTTLED);

  private record Outcome(String endpoint, String code) {}

  /** A call that is not counted yet. */
  private record Noted(Exchange exchange, long millis, boolean logged) {}

  /**
   * One call of the interface, and how it ended.
   *
   * @param requestId the id in the response
   * @param merchantId the merchant; 0 if unknown
   * @param applicationId the application; 0 if unknown
   * @param endpoint the path of the interface, or {@link #OTHER}
   * @param code the error code; empty for a success
   * @param nanos its duration
   */
  public record Exchange(
      String requestId,
      int merchantId,
      int applicationId,
      String endpoint,
      int status,
      String code,
      long nanos) {
    /** Stands for all paths outside the interface. */
    public static final String OTHER = "other";

    public boolean isSuccess() {
      return code.isEmpty() && status < 400;
    }

    public record Header(String name, String value) {}

    /**
     * The request and the response.
     *
     * @param path with the query string
     * @param body null if it was not read
     */
    public record Content(
        String method,
        String path,
        String address,
        List<Header> headers,
        byte @Nullable [] body,
        byte[] answer) {
      /** The same request with its answer. */
      public Content with(byte[] later) {
        return new Content(method, path, address, headers, body, later);
      }
    }
  }

  /**
   * Samples calls for the request log: a number per second, more rejections than successes. The log
   * is a sample, not a record of every call, and must never slow a call down.
   */
  static final class LogSampler {
    private static final int MAX_REMEMBERED = 20_000;

    /** Successes per second of all callers together. */
    private static final int MAX_SUCCESSES = 50;

    /** The key of the successes of all callers. */
    private static final Key EVERYBODY = new Key(-1, 0, "");

    /** Successes are counted by application and path, rejections by merchant. */
    private record Key(int merchantId, int applicationId, String endpoint) {}

    private record Second(long second, int kept) {}

    private final Clock clock;
    private final boolean on;
    private final int maxSuccesses;
    private final int maxRejections;
    private final ConcurrentHashMap<Key, Second> seconds = new ConcurrentHashMap<>();

    LogSampler(Clock clock, Settings settings) {
      this.clock = clock;
      this.on = settings.get(Settings.REQUEST_LOG_ROWS) > 0;
      this.maxSuccesses = settings.get(Settings.REQUEST_LOG_SUCCESSES);
      this.maxRejections = settings.get(Settings.REQUEST_LOG_REJECTIONS);
    }

    boolean isOn() {
      return on;
    }

    /** Whether to log this call; counts it if so. */
    boolean keeps(Exchange exchange) {
      if (!on) {
        return false;
      }
      boolean success = exchange.isSuccess();
      int most = success ? maxSuccesses : maxRejections;
      Key key =
          success
              ? new Key(exchange.merchantId(), exchange.applicationId(), exchange.endpoint())
              : new Key(exchange.merchantId(), 0, "");
      long now = clock.millis() / 1000;
      if (success && isFull(EVERYBODY, now, MAX_SUCCESSES)) {
        return false;
      }
      return takes(key, now, most) && (!success || takes(EVERYBODY, now, MAX_SUCCESSES));
    }

    /** A fast check without a lock, which suffices for most busy callers. */
    private boolean isFull(Key key, long now, int most) {
      Second known = seconds.get(key);
      return known != null && known.second == now && known.kept >= most;
    }

    private boolean takes(Key key, long now, int most) {
      if (isFull(key, now, most)) {
        return false;
      }
      if (seconds.size() >= MAX_REMEMBERED) {
        seconds.clear();
      }
      Second counted =
          seconds.merge(
              key,
              new Second(now, 1),
              (before, one) -> before.second == now ? new Second(now, before.kept + 1) : one);
      return counted.kept <= most;
    }
  }

  /** A step that may fail while the database is unavailable. */
  private interface Step {
    void run() throws SQLException;
  }

  private final Clock clock;
  private final boolean counting;
  private final Counts counts;
  private final TrafficTable table;
  private final LogSampler sampler;
  private final RequestLogWriter writer;
  private final Heartbeat heartbeat;
  private final MeterRegistry meters;
  private final Counter kept;
  private final Counter skipped;
  private final Map<Outcome, Counter> rejections = new ConcurrentHashMap<>();
  private final Queue<Noted> uncounted = new ConcurrentLinkedQueue<>();
  private final AtomicInteger uncountedCalls = new AtomicInteger();
  private final StopSignal closing = new StopSignal();
  private final Thread thread;

  public Traffic(Cells cells, Clock clock, Settings settings, MeterRegistry meters) {
    this.clock = clock;
    this.counting = settings.get(Settings.TRAFFIC_DAYS) > 0;
    this.counts = new Counts(cells);
    this.table = new TrafficTable(cells, clock, settings.get(Settings.TRAFFIC_DAYS));
    this.sampler = new LogSampler(clock, settings);
    this.writer = new RequestLogWriter(cells, settings);
    this.heartbeat = new Heartbeat(cells, clock, meters);
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

  /** Registers what alerts count: a rate needs the metric before its first event. */
  public void expect(List<String> paths) {
    for (String path : paths) {
      for (ErrorCode code : ALERTING) {
        rejections.computeIfAbsent(new Outcome(path, code.name()), this::rejection);
      }
    }
  }

  /** Records a call; reads {@code content} only if the request log keeps the call. */
  public void note(Exchange exchange, Supplier<Exchange.Content> content) {
    try {
      record(exchange, content);
    } catch (RuntimeException failure) {
      // the call has its response and must not fail because of this
      log.warn("the call {} was not recorded", exchange.requestId(), failure);
    }
  }

  /** Counts a call without logging it. */
  public void count(Exchange exchange) {
    count(exchange, false);
  }

  private void record(Exchange exchange, Supplier<Exchange.Content> content) {
    boolean logs =
        sampler.keeps(exchange)
            && writer.offer(LoggedCall.of(clock.instant(), exchange, content.get()));
    if (sampler.isOn()) {
      (logs ? kept : skipped).increment();
    }
    count(exchange, logs);
  }

  private void count(Exchange exchange, boolean logs) {
    if (counting) {
      uncounted.add(new Noted(exchange, clock.millis(), logs || !sampler.isOn()));
      if (uncountedCalls.incrementAndGet() > MAX_UNCOUNTED) {
        countAll();
      }
    }
    if (!exchange.isSuccess()) {
      rejections
          .computeIfAbsent(new Outcome(exchange.endpoint(), exchange.code()), this::rejection)
          .increment();
    }
  }

  /** Counts the calls in the queue. */
  private void countAll() {
    for (Noted next = uncounted.poll(); next != null; next = uncounted.poll()) {
      uncountedCalls.decrementAndGet();
      counts.add(next.exchange, next.millis, next.logged);
    }
  }

  private void flushCounts() throws SQLException {
    countAll();
    counts.flush();
  }

  private Counter rejection(Outcome outcome) {
    return Counter.builder("stockroom.rejections")
        .description("Calls that were rejected or failed, by address and error code")
        .tag("path", outcome.endpoint)
        .tag("code", outcome.code)
        .register(meters);
  }

  private void work() {
    attempt(heartbeat::beat);
    for (int second = 1; !closing.comesWithin(SECOND); second++) {
      attempt(writer::flush);
      countAll();
      if (second % COUNTS_EVERY == 0) {
        attempt(this::flushCounts);
      }
      if (second % HEARTBEAT_EVERY == 0) {
        attempt(heartbeat::beat);
      }
    }
  }

  private static void attempt(Step step) {
    try {
      step.run();
    } catch (SQLException | RuntimeException failure) {
      log.debug("the traffic is written later: {}", failure.getMessage());
    }
  }

  /** Deletes old and excess records. Runs periodically. */
  public void forgetOld() throws SQLException {
    table.tidy();
    writer.forgetOld(clock.instant());
  }

  /** Writes the records that are still in memory. */
  @Override
  public void close() {
    closing.send();
    try {
      var _ = thread.join(MAX_FAREWELL);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    attempt(writer::flush);
    attempt(this::flushCounts);
    attempt(heartbeat::leave);
  }
}
