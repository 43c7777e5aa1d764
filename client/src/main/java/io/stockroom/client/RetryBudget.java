package io.stockroom.client;

import java.time.Duration;
import java.util.Optional;

/**
 * The retry budget of one call. Waits for the rate limit (429) are limited by total time: under
 * contention a call may need many attempts, and each one is normal. All other failures are limited
 * by a number of attempts. Not thread-safe.
 */
final class RetryBudget {
  private static final Duration JITTER = Duration.ofMillis(500);

  /**
   * Smaller than the time by which {@link CreateTurns} yields after a success, so that the client
   * that has waited longest goes first.
   */
  private static final Duration RATE_LIMIT_JITTER = Duration.ofMillis(100);

  private final Retries retries;
  private final int attempts;
  private int used;
  private int limited;
  private Duration rateLimitLeft;

  RetryBudget(Retries retries, int attempts, Duration rateLimitBudget) {
    this.retries = retries;
    this.attempts = attempts;
    this.rateLimitLeft = rateLimitBudget;
  }

  /** Waits as {@code failure} requires; returns false if there should be no further attempt. */
  boolean waitAfter(StockroomException failure) {
    return failure instanceof RateLimitedException limit
        ? waitForRateLimit(limit.retryAfter())
        : waitForServer(failure);
  }

  private boolean waitForRateLimit(Optional<Duration> asked) {
    Duration wait = asked.orElseGet(() -> retries.backoff(limited));
    if (wait.compareTo(rateLimitLeft) > 0 || wait.compareTo(retries.longestWait()) > 0) {
      return false;
    }
    limited++;
    Duration spread = wait.plus(retries.part(RATE_LIMIT_JITTER));
    rateLimitLeft = rateLimitLeft.minus(spread);
    retries.sleep(spread);
    return true;
  }

  private boolean waitForServer(StockroomException failure) {
    Duration wait =
        failure instanceof ServerUnavailableException unavailable
            ? unavailable.retryAfter().orElseGet(() -> retries.backoff(used))
            : retries.backoff(used);
    if (used >= attempts || wait.compareTo(retries.longestWait()) > 0) {
      return false;
    }
    used++;
    retries.sleep(wait.plus(retries.part(JITTER)));
    return true;
  }
}
