package io.stockroom.server.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls a condition until it is true or the time is over. */
public final class Eventually {
  private static final Duration PAUSE = Duration.ofMillis(10);

  private Eventually() {}

  /** Whether {@code condition} became true within {@code limit}. */
  public static boolean within(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }
}
