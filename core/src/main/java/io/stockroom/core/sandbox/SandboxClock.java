package io.stockroom.core.sandbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that runs ahead of the real one. */
final class SandboxClock extends Clock {
  private volatile Duration ahead = Duration.ZERO;

  Duration ahead() {
    return ahead;
  }

  void setAhead(Duration ahead) {
    this.ahead = ahead;
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(ahead);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  /** Only instants are read from it. */
  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
