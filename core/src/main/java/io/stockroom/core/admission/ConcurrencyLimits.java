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
  /**
   * Reads and credential lookups are batched, so 128 concurrent calls need only a few connections.
   */
  private static final int SHARED = 128;

  private static final int CREATES_PER_PROCESSOR = 4;
  private static final int OTHERS_PER_PROCESSOR = 3;

  /** A transfer holds no connection while the client is slow, only a part of the file in memory. */
  private static final int TRANSFERS = 64;

  /** Sending holds no connection while the receiver is slow. */
  private static final int SENDS = 32;

  /** Two passwords are hashed at a time, for at least two addresses. */
  private static final int SIGN_INS = 4;

  /** A person waits longer for a sign-in than a program for a call. */
  private static final int SIGN_IN_WAITS = 4;

  /** A webhook call holds a connection only for a moment, but may wait for a receiver. */
  private static final int WEBHOOKS = 16;

  /** A read is fast and easily retried, so it waits a fifth of the maximum wait. */
  private static final int READ_WAITS = 5;

  /** The maximum that {@code Retry-After} asks of a rejected caller. */
  public static final int MAX_RETRY_SECONDS = 3;

  private final Map<CallKind, ConcurrencyLimit> limits = new EnumMap<>(CallKind.class);

  /**
   * Creates the limits.
   *
   * @param connections the size of the database pool
   * @param processors the number of processors; more active calls would only compete for them
   * @param maxWait the maximum expected wait of a write
   */
  public ConcurrencyLimits(
      int connections, int processors, Duration maxWait, MeterRegistry meters) {
    // not dividedBy: its BigDecimal takes 30 ms to initialize
    Duration readWait = Duration.ofNanos(maxWait.toNanos() / READ_WAITS);
    int creates = Math.clamp(connections / 2, 1, CREATES_PER_PROCESSOR * processors);
    int others = Math.clamp(connections / 4, 1, OTHERS_PER_PROCESSOR * processors);
    add(CallKind.READ, SHARED, readWait, meters);
    add(CallKind.CREATE, creates, maxWait, meters);
    add(CallKind.DETAIL, creates, maxWait, meters);
    add(CallKind.OTHER, others, maxWait, meters);
    add(CallKind.FEED, SHARED, readWait, meters);
    add(CallKind.CALLER, SHARED, readWait, meters);
    add(CallKind.OPERATOR, connections, maxWait, meters);
    add(CallKind.PAGE, connections, maxWait, meters);
    add(CallKind.SESSION, Math.max(2, connections / 4), maxWait, meters);
    add(CallKind.SIGN_IN, SIGN_INS, maxWait.multipliedBy(SIGN_IN_WAITS), meters);
    add(CallKind.SEND, SENDS, maxWait, meters);
    add(CallKind.UPLOAD, TRANSFERS, maxWait, meters);
    add(CallKind.DOWNLOAD, TRANSFERS, maxWait, meters);
    add(CallKind.WEBHOOK, WEBHOOKS, maxWait, meters);
  }

  public ConcurrencyLimit of(CallKind kind) {
    return Objects.requireNonNull(limits.get(kind));
  }

  /**
   * A random {@code Retry-After}, so that rejected callers do not all return in the same second.
   */
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
