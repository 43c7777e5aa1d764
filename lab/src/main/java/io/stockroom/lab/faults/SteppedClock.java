package io.stockroom.lab.faults;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Shows the real time and what an experiment has added to it. */
final class SteppedClock extends Clock {
  private volatile Duration added = Duration.ZERO;

  /** Moves the clock forward to a time, unless it is already later. */
  void stepTo(Instant time) {
    Duration left = Duration.between(instant(), time);
    if (left.isPositive()) {
      added = added.plus(left);
    }
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
