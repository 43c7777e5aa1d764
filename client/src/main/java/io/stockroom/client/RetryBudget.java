package io.stockroom.client;

import java.time.Duration;
import java.util.Optional;

/**
 * What is left to one call for further attempts. Waits for the rate limit (429) are bounded by
 * time: under contention a call may have to try often, and each attempt is a normal step. All other
 * failures are bounded by a number of attempts. Used by one thread.
 */
final class RetryBudget {
  private static final Duration JITTER = Duration.ofMillis(500);

  /**
   * Smaller than the time by which {@link CreateTurns} yields after a success, so that whoever has
   * waited longest comes first.
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

  /** Waits as {@code failure} asks; false where no further attempt is to be made. */
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
