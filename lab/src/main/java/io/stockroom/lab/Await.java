package io.stockroom.lab;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition or for a duration. A database that is down fulfills no condition. */
public final class Await {
  private static final Duration POLL = Duration.ofMillis(10);

  private Await() {}

  /** Throws if the condition does not hold within the limit. */
  public static void until(Duration limit, String what, BooleanSupplier condition) {
    if (!within(limit, condition)) {
      throw new IllegalStateException(
          "waited %d seconds in vain for %s".formatted(limit.toSeconds(), what));
    }
  }

  /** Whether the condition holds within the limit. */
  public static boolean within(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      pause(POLL);
    }
    return true;
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (DirectSql.Failed down) {
      return false;
    }
  }

  public static void pause(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = deadline - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }

  public static void forEnd(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
