package io.stockroom.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Schedules creates and assigns their timestamps. The server identifies a create by its timestamp,
 * so each one gets a different second. Not thread-safe.
 */
final class CreateTurns {
  /** Well within the five minutes of clock skew that the server accepts. */
  private static final long MAX_SECONDS_AHEAD = 120;

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
  private final SigningClock signing;
  private final Retries retries;
  private Duration interval;
  private Instant next = Instant.MIN;
  private Instant contendedUntil = Instant.MIN;
  private long lastSecond;

  /**
   * @param interval the time between two creates, until the server states another
   */
  CreateTurns(Clock clock, SigningClock signing, Retries retries, Duration interval) {
    this.clock = clock;
    this.signing = signing;
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

  /** A timestamp that no create of this client has used. */
  Instant timestamp() {
    return timestampAfter(1);
  }

  /** A timestamp at least {@code seconds} after the last create's. */
  Instant timestampAfter(long seconds) {
    long now = signing.now().getEpochSecond();
    long second = Math.max(now, lastSecond + seconds);
    if (second > now + MAX_SECONDS_AHEAD) {
      retries.sleep(Duration.ofSeconds(second - now - MAX_SECONDS_AHEAD));
    }
    lastSecond = second;
    return Instant.ofEpochSecond(second);
  }

  /** Starts over after the clock was corrected by the server's time. */
  Instant correctedTimestamp() {
    lastSecond = 0;
    return timestamp();
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
