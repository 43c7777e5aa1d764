package io.stockroom.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * When the next create may be sent, and with which timestamp. The server knows a create by its
 * timestamp, so each gets a second of its own. Used by one thread at a time.
 */
final class CreateTurns {
  /** Well within the five minutes that a timestamp may be off. */
  private static final long MAX_SECONDS_AHEAD = 120;

  /**
   * How much longer than the interval a client waits after a success. A client that was refused
   * comes back with less jitter than this, so each round brings it closer to the head of the line.
   */
  private static final Duration YIELD = Duration.ofMillis(250);

  /**
   * The same while other programs create for this merchant too. Retry-After is in whole seconds, so
   * a client that was refused comes back up to a second late, and needs the larger head start.
   */
  private static final Duration CONTENDED_YIELD = Duration.ofMillis(700);

  /** For how many intervals after a refusal other programs are taken to be still at work. */
  private static final int CONTENDED_INTERVALS = 10;

  private final Clock clock;
  private final SigningClock signing;
  private final Retries retries;
  private Duration interval;
  private Instant next = Instant.MIN;
  private Instant contendedUntil = Instant.MIN;
  private long lastSecond;

  /**
   * @param interval the time between two creates, until the server says otherwise
   */
  CreateTurns(Clock clock, SigningClock signing, Retries retries, Duration interval) {
    this.clock = clock;
    this.signing = signing;
    this.retries = retries;
    this.interval = interval;
  }

  /** Waits for the turn, never longer than one turn takes, whatever the clock does meanwhile. */
  void await() {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      Duration wait = Duration.between(now, next);
      Duration most = interval.plus(CONTENDED_YIELD);
      retries.sleep(wait.compareTo(most) > 0 ? most : wait);
    }
  }

  /** A timestamp that no create of this client had. */
  Instant timestamp() {
    return timestampAfter(1);
  }

  /** A timestamp at least {@code seconds} after that of the last create. */
  Instant timestampAfter(long seconds) {
    long now = signing.now().getEpochSecond();
    long second = Math.max(now, lastSecond + seconds);
    if (second > now + MAX_SECONDS_AHEAD) {
      retries.sleep(Duration.ofSeconds(second - now - MAX_SECONDS_AHEAD));
    }
    lastSecond = second;
    return Instant.ofEpochSecond(second);
  }

  /** Begins anew after the server corrected the clock. */
  Instant correctedTimestamp() {
    lastSecond = 0;
    return timestamp();
  }

  /** Notes that a create was answered, and what the server says of the next. */
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

  /** Notes that the server refused a create because another program had the turn. */
  void contended() {
    contendedUntil = clock.instant().plus(interval.multipliedBy(CONTENDED_INTERVALS));
  }

  private Duration yieldAt(Instant now) {
    return now.isBefore(contendedUntil) ? CONTENDED_YIELD : YIELD;
  }
}
