package io.stockroom.lab.faults;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition or for a duration. */
final class Await {
  private static final Duration POLL = Duration.ofMillis(5);

  /** For conditions that cost a login to the database. */
  private static final Duration RARE_POLL = Duration.ofMillis(100);

  private Await() {}

  static void until(Duration limit, String what, BooleanSupplier condition) {
    if (!within(limit, condition)) {
      throw new IllegalStateException(
          "waited %d seconds in vain for %s".formatted(limit.toSeconds(), what));
    }
  }

  /** Like {@link #until}, for a condition that is expensive to look at. */
  static void untilSeldom(Duration limit, String what, BooleanSupplier condition) {
    if (!withinSeldom(limit, condition)) {
      throw new IllegalStateException(
          "waited %d seconds in vain for %s".formatted(limit.toSeconds(), what));
    }
  }

  static boolean within(Duration limit, BooleanSupplier condition) {
    return within(limit, POLL, condition);
  }

  /** Like {@link #within}, for a condition that is expensive to look at. */
  static boolean withinSeldom(Duration limit, BooleanSupplier condition) {
    return within(limit, RARE_POLL, condition);
  }

  private static boolean within(Duration limit, Duration poll, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      pause(poll);
    }
    return true;
  }

  static void pause(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = deadline - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }

  static void forEnd(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
