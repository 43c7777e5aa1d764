package io.stockroom.core.admission;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/** The limit of each kind of call, chosen so that writes always leave connections to reads. */
public final class ConcurrencyLimits {
  /** Reads and credential lookups share statements, so these are no connections. */
  private static final int SHARED = 128;

  private static final int CREATES_PER_PROCESSOR = 4;
  private static final int DETAILS_PER_PROCESSOR = 3;

  /** Files hold no connection while they come, only a piece of themselves in memory. */
  private static final int FILES = 64;

  /** A read is soon done, and soon sent again: it waits a fifth of the longest wait. */
  private static final int READ_WAITS = 5;

  /** A rejected caller is never told to stay away for longer. */
  public static final int MAX_RETRY_SECONDS = 3;

  private final Map<CallKind, ConcurrencyLimit> limits = new EnumMap<>(CallKind.class);

  /**
   * Chooses the limits.
   *
   * @param connections how many connections to the database there are
   * @param processors how many processors; more calls at a time would only take them from each
   *     other
   * @param maxWait how long a write may expect to wait
   */
  public ConcurrencyLimits(
      int connections, int processors, Duration maxWait, MeterRegistry meters) {
    Duration readWait = maxWait.dividedBy(READ_WAITS);
    int creates = Math.clamp(connections / 2, 1, CREATES_PER_PROCESSOR * processors);
    int details = Math.clamp(connections / 4, 1, DETAILS_PER_PROCESSOR * processors);
    add(CallKind.READ, SHARED, readWait, meters);
    add(CallKind.CREATE, creates, maxWait, meters);
    add(CallKind.DETAIL, details, maxWait, meters);
    add(CallKind.CALLER, SHARED, readWait, meters);
    add(CallKind.OPERATOR, connections, maxWait, meters);
    add(CallKind.PAGE, connections, maxWait, meters);
    add(CallKind.FILE, FILES, maxWait, meters);
  }

  public ConcurrencyLimit of(CallKind kind) {
    return Objects.requireNonNull(limits.get(kind));
  }

  /** When a rejected caller may try again: not all of them in the same second. */
  public static int retrySeconds() {
    return 1 + ThreadLocalRandom.current().nextInt(MAX_RETRY_SECONDS);
  }

  private void add(CallKind kind, int max, Duration maxWait, MeterRegistry meters) {
    ConcurrencyLimit limit = new ConcurrencyLimit(max, maxWait);
    limits.put(kind, limit);
    Gauge.builder("stockroom.admission.active", limit, ConcurrencyLimit::active)
        .description("Calls in progress")
        .tag("kind", kind.word())
        .register(meters);
    Gauge.builder("stockroom.admission.waiting", limit, ConcurrencyLimit::waiting)
        .description("Calls that wait for a permit")
        .tag("kind", kind.word())
        .register(meters);
    FunctionCounter.builder("stockroom.admission.rejected", limit, ConcurrencyLimit::rejected)
        .description("Calls that were rejected because they would have waited too long")
        .tag("kind", kind.word())
        .register(meters);
  }
}
