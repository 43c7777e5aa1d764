package io.stockroom.core.settings;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Localized;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.Period;

/**
 * A length of time in calendar units and clock units, such as {@code P3M}, {@code P90D} or {@code
 * PT30S}. The calendar part is exact: three months before 31 May is the last day of February.
 */
public record Span(Period period, Duration duration) implements Localized {
  private static final LocalDateTime START = LocalDateTime.of(2000, 1, 1, 0, 0);

  public Span {
    LocalDateTime end = START.plus(period).plus(duration);
    if (end.isBefore(START) || end.isAfter(START.plusYears(100))) {
      throw new IllegalArgumentException("out of range");
    }
  }

  /** A length of time in clock units. */
  public static Span of(Duration duration) {
    return new Span(Period.ZERO, duration);
  }

  /** In words, for messages: {@code 90 days}. */
  @Override
  public String text(Language language) {
    return ReadableDuration.of(toString(), language);
  }

  public static Span parse(String text) {
    String iso = text.strip();
    int time = iso.indexOf('T');
    if (!iso.startsWith("P") || iso.length() < 3) {
      throw new DateTimeException("not an ISO period");
    }
    String days = time < 0 ? iso : iso.substring(0, time);
    Period period = days.equals("P") ? Period.ZERO : Period.parse(days);
    Duration duration = time < 0 ? Duration.ZERO : Duration.parse("P" + iso.substring(time));
    return new Span(period, duration);
  }

  /** As it is written in settings and PostgreSQL intervals. */
  @Override
  public String toString() {
    if (duration.isZero()) {
      return period.toString();
    }
    return (period.isZero() ? "P" : period.toString()) + duration.toString().substring(1);
  }
}
