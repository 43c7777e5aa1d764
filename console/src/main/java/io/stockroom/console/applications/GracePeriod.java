package io.stockroom.console.applications;

import io.stockroom.console.visit.PageException;
import java.time.Duration;
import java.util.Arrays;

/** How long an old secret or token keeps working after it is replaced. */
enum GracePeriod {
  WEEK("7", Duration.ofDays(7)),
  DAY("1", Duration.ofDays(1)),
  MONTH("30", Duration.ofDays(30)),
  NONE("0", Duration.ZERO);

  private final String word;
  private final Duration period;

  GracePeriod(String word, Duration period) {
    this.word = word;
    this.period = period;
  }

  /** The number of days, as in the form field. */
  public String word() {
    return word;
  }

  Duration period() {
    return period;
  }

  static GracePeriod of(String word) {
    return Arrays.stream(values())
        .filter(grace -> grace.word.equals(word))
        .findFirst()
        .orElseThrow(PageException::missing);
  }
}
