package io.stockroom.core.limits;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A circuit breaker for each merchant: while a long transaction, such as an import, holds the rows
 * of a merchant, its creates are refused at once instead of waiting with a connection in hand. Now
 * and then one of them tries whether the rows are free.
 */
final class BusyMerchants {
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  /** Longer than one try takes: meanwhile no other tries. */
  private static final long TRY_NANOS = CreateRateLimit.LOCK_WAIT.plusSeconds(1).toNanos();

  private static final long FORGOTTEN_NANOS = Duration.ofMinutes(1).toNanos();

  private final Map<Integer, Long> pausedUntil = new ConcurrentHashMap<>();

  boolean mayTry(int merchantId) {
    Long until = pausedUntil.get(merchantId);
    if (until == null) {
      return true;
    }
    long now = System.nanoTime();
    return now - until >= 0 && pausedUntil.replace(merchantId, until, now + TRY_NANOS);
  }

  void busy(int merchantId) {
    long now = System.nanoTime();
    pausedUntil.values().removeIf(until -> now - until > FORGOTTEN_NANOS);
    pausedUntil.put(merchantId, now + PAUSE_NANOS);
  }

  void free(int merchantId) {
    pausedUntil.remove(merchantId);
  }
}
