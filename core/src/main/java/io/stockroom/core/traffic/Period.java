package io.stockroom.core.traffic;

import java.time.Duration;

/** The time range of a plot, and the step between its points. */
public enum Period {
  HOUR("hour", Duration.ofMinutes(1), 60),
  DAY("day", Duration.ofMinutes(10), 144),
  WEEK("week", Duration.ofHours(1), 168);

  private final String word;
  private final Duration step;
  private final int points;

  Period(String word, Duration step, int points) {
    this.word = word;
    this.step = step;
    this.points = points;
  }

  public String word() {
    return word;
  }

  /** The time between two points. */
  public Duration step() {
    return step;
  }

  public int points() {
    return points;
  }

  /** The period with this name; the shortest if there is none. */
  public static Period of(String word) {
    for (Period period : values()) {
      if (period.word.equals(word)) {
        return period;
      }
    }
    return HOUR;
  }
}
