package io.stockroom.core.webhooks;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** When a failed delivery is retried: the schedule of the Standard Webhooks specification. */
final class RetrySchedule {
  /** A webhook that fails for so long is disabled. */
  static final Duration MAX_FAILING = Duration.ofDays(5);

  private static final List<Duration> DELAYS =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  /** Spreads the retries of receivers that failed together. */
  private static final double JITTER = 0.1;

  private RetrySchedule() {}

  /**
   * The delay after a failure.
   *
   * @param failures how many there were, including this one
   */
  static Duration delay(int failures, RandomGenerator random) {
    Duration delay = DELAYS.get(Math.clamp(failures, 1, DELAYS.size()) - 1);
    double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
    return Duration.ofMillis((long) (delay.toMillis() * factor));
  }
}
