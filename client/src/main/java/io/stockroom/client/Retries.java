package io.stockroom.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** The retry policy of one client. */
final class Retries {
  private static final Duration FIRST_BACKOFF = Duration.ofMillis(500);
  private static final int MAX_DOUBLINGS = 5;

  private final int attempts;
  private final Duration longestWait;
  private final Duration rateLimitBudget;
  private final Sleeper pause;
  private final DoubleSupplier chance;

  /**
   * @param attempts the maximum number of retries, not counting those after a 429
   * @param rateLimitBudget how long one call may wait for the rate limit in total
   * @param chance random numbers from 0 to 1
   */
  Retries(
      int attempts,
      Duration longestWait,
      Duration rateLimitBudget,
      Sleeper pause,
      DoubleSupplier chance) {
    this.attempts = attempts;
    this.longestWait = longestWait;
    this.rateLimitBudget = rateLimitBudget;
    this.pause = pause;
    this.chance = chance;
  }

  /** The retry budget of one call. */
  RetryBudget newBudget() {
    return new RetryBudget(this, attempts, rateLimitBudget);
  }

  Duration longestWait() {
    return longestWait;
  }

  /** Exponential backoff with full jitter. */
  Duration backoff(int attempt) {
    return part(FIRST_BACKOFF.multipliedBy(1L << Math.min(attempt, MAX_DOUBLINGS)));
  }

  /** A random part of {@code whole}. */
  Duration part(Duration whole) {
    return Duration.ofNanos((long) (whole.toNanos() * chance.getAsDouble()));
  }

  void sleep(Duration wait) {
    try {
      pause.of(wait);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new CallInterruptedException(
          "Interrupted while waiting to send a request.", interrupted);
    }
  }
}
