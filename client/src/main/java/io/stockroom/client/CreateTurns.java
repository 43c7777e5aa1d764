package io.stockroom.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Schedules creates. Not thread-safe. */
final class CreateTurns {
  /**
   * Extra wait after a success. A client that got a 429 retries with less jitter than this, so each
   * round brings it closer to the front.
   */
  private static final Duration YIELD = Duration.ofMillis(250);

  /**
   * The extra wait while other programs also create for this merchant. Retry-After is in whole
   * seconds, so a client that got a 429 retries up to a second late and needs a larger head start.
   */
  private static final Duration CONTENDED_YIELD = Duration.ofMillis(700);

  /** For how many intervals after a 429 other programs are assumed to be active. */
  private static final int CONTENDED_INTERVALS = 10;

  private final Clock clock;
  private final Retries retries;
  private Duration interval;
  private Instant next = Instant.MIN;
  private Instant contendedUntil = Instant.MIN;

  /**
   * @param interval the time between two creates, until the server states another
   */
  CreateTurns(Clock clock, Retries retries, Duration interval) {
    this.clock = clock;
    this.retries = retries;
    this.interval = interval;
  }

  /** Waits until the next create is allowed, at most one interval, even if the clock changes. */
  void await() {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      Duration wait = Duration.between(now, next);
      Duration most = interval.plus(CONTENDED_YIELD);
      retries.sleep(wait.compareTo(most) > 0 ? most : wait);
    }
  }

  /** Notes a response to a create and what it says about the next one. */
  void spent(Reply reply) {
    reply.quotas().stream()
        .filter(quota -> quota.name().equals("create"))
        .findFirst()
        .ifPresent(
            quota -> {
              Duration reset = quota.resetsIn();
              interval = quota.remaining() > 0 || reset == null ? Duration.ZERO : reset;
            });
    Instant now = clock.instant();
    next = interval.isZero() ? now : now.plus(interval).plus(yieldAt(now));
  }

  /** Notes a 429 that another program caused. */
  void contended() {
    contendedUntil = clock.instant().plus(interval.multipliedBy(CONTENDED_INTERVALS));
  }

  private Duration yieldAt(Instant now) {
    return now.isBefore(contendedUntil) ? CONTENDED_YIELD : YIELD;
  }
}
