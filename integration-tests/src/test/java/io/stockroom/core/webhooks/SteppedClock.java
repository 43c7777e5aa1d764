package io.stockroom.core.webhooks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Shows the real time and what the test added to it. */
public final class SteppedClock extends Clock {
  private volatile Duration added = Duration.ZERO;

  public void step(Duration duration) {
    added = added.plus(duration);
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(added);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
