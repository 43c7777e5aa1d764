package io.stockroom.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The server's time as far as known: the local clock, corrected after the server rejects a
 * timestamp.
 */
final class SigningClock {
  private final Clock clock;
  private volatile Duration ahead = Duration.ZERO;

  SigningClock(Clock clock) {
    this.clock = clock;
  }

  Instant now() {
    return clock.instant().plus(ahead);
  }

  /** Adopts the server's time; returns false if it is unknown. */
  boolean learn(@Nullable Instant serverTime) {
    if (serverTime == null) {
      return false;
    }
    ahead = Duration.between(clock.instant(), serverTime);
    return true;
  }
}
