package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryScheduleTest {
  private final RandomGenerator random = new Random(7);

  @ParameterizedTest
  @CsvSource({
    "1, PT5S",
    "2, PT5M",
    "3, PT30M",
    "4, PT2H",
    "5, PT5H",
    "6, PT10H",
    "7, PT14H",
    "8, PT20H",
    "9, PT24H",
    "10, PT24H",
    "1000, PT24H"
  })
  void followsTheSpecificationWithJitter(int failures, Duration delay) {
    for (int i = 0; i < 100; i++) {
      assertThat(RetrySchedule.delay(failures, random))
          .isBetween(delay.multipliedBy(9).dividedBy(10), delay.multipliedBy(11).dividedBy(10));
    }
  }

  @Test
  void spreadsRetries() {
    assertThat(RetrySchedule.delay(2, random)).isNotEqualTo(RetrySchedule.delay(2, random));
  }

  @Test
  void lastsFiveDays() {
    Duration failing = Duration.ZERO;
    int failures = 1;
    while (failing.compareTo(RetrySchedule.MAX_FAILING) < 0) {
      failing = failing.plus(RetrySchedule.delay(failures++, random));
    }
    assertThat(failures).isBetween(11, 13);
  }
}
