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
  private static final long MOST_SECONDS_AHEAD = 120;

  private final Clock clock;
  private final SigningClock signing;
  private final Retries retries;
  private Duration interval;
  private Instant next = Instant.MIN;
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

  /** Waits for the turn, never longer than the interval, whatever the clock does meanwhile. */
  void await() {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      Duration wait = Duration.between(now, next);
      retries.sleep(wait.compareTo(interval) > 0 ? interval : wait);
    }
  }

  /** A timestamp that no create of this client had. */
  Instant timestamp() {
    long now = signing.now().getEpochSecond();
    long second = Math.max(now, lastSecond + 1);
    if (second > now + MOST_SECONDS_AHEAD) {
      retries.sleep(Duration.ofSeconds(second - now - MOST_SECONDS_AHEAD));
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
    next = clock.instant().plus(interval);
  }
}
