package io.stockroom.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The server's time as far as it is known: this machine's, corrected once the server objected. */
final class SigningClock {
  private final Clock clock;
  private volatile Duration ahead = Duration.ZERO;

  SigningClock(Clock clock) {
    this.clock = clock;
  }

  Instant now() {
    return clock.instant().plus(ahead);
  }

  /** Takes over the server's time; says whether there is one. */
  boolean learn(@Nullable Instant serverTime) {
    if (serverTime == null) {
      return false;
    }
    ahead = Duration.between(clock.instant(), serverTime);
    return true;
  }
}
