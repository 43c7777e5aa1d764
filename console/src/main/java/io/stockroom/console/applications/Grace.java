package io.stockroom.console.applications;

import io.stockroom.console.visit.Refusal;
import java.time.Duration;
import java.util.Arrays;

/** How long what is replaced works on beside its successor. */
enum Grace {
  WEEK("7", Duration.ofDays(7)),
  DAY("1", Duration.ofDays(1)),
  MONTH("30", Duration.ofDays(30)),
  NONE("0", Duration.ZERO);

  private final String word;
  private final Duration period;

  Grace(String word, Duration period) {
    this.word = word;
    this.period = period;
  }

  /** The days, as the form sends them. */
  public String word() {
    return word;
  }

  Duration period() {
    return period;
  }

  static Grace of(String word) {
    return Arrays.stream(values())
        .filter(grace -> grace.word.equals(word))
        .findFirst()
        .orElseThrow(Refusal::missing);
  }
}
