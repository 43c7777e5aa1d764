package io.stockroom.conformance;

import java.time.Instant;

/**
 * Seconds that leap ahead where somebody waits for them, for targets whose access is used by one
 * run only: nobody else can have taken a second there.
 */
final class LeapingSeconds implements Seconds {
  private long ahead;

  @Override
  public long now() {
    return Instant.now().getEpochSecond() + ahead;
  }

  @Override
  public void await(long second) {
    ahead += Math.max(0, second - now());
  }
}
