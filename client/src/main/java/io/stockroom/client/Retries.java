package io.stockroom.client;

import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * How long to wait before the next attempt, and when to give up. Waits are spread by chance, so
 * that programs that were refused together do not come back together.
 */
final class Retries {
  private static final Duration FIRST = Duration.ofMillis(500);
  private static final Duration SPREAD = Duration.ofMillis(500);
  private static final int MOST_DOUBLINGS = 5;

  private final int most;
  private final Duration longestWait;
  private final Pause pause;
  private final DoubleSupplier chance;

  /**
   * @param most how many attempts may follow the first
   * @param chance numbers from 0 to 1
   */
  Retries(int most, Duration longestWait, Pause pause, DoubleSupplier chance) {
    this.most = most;
    this.longestWait = longestWait;
    this.pause = pause;
    this.chance = chance;
  }

  int most() {
    return most;
  }

  /** Waits as {@code failure} asks; false where no further attempt is to be made. */
  boolean waitAfter(StockroomException failure, int attempt) {
    Duration wait = asked(failure).orElseGet(() -> backoff(attempt));
    if (attempt >= most || wait.compareTo(longestWait) > 0) {
      return false;
    }
    sleep(wait.plus(part(SPREAD)));
    return true;
  }

  void sleep(Duration wait) {
    try {
      pause.of(wait);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new CallInterruptedException("Interrupted while waiting to send again.", interrupted);
    }
  }

  private static Optional<Duration> asked(StockroomException failure) {
    if (failure instanceof RateLimitedException limited) {
      return limited.retryAfter();
    }
    return failure instanceof ServerUnavailableException unavailable
        ? unavailable.retryAfter()
        : Optional.empty();
  }

  private Duration backoff(int attempt) {
    return part(FIRST.multipliedBy(1L << Math.min(attempt, MOST_DOUBLINGS)));
  }

  private Duration part(Duration whole) {
    return Duration.ofNanos((long) (whole.toNanos() * chance.getAsDouble()));
  }
}
