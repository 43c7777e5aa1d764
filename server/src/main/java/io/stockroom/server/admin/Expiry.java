package io.stockroom.server.admin;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Parses a lifetime: an ISO 8601 period of days and months, or a duration. */
final class Expiry {
  static final String EXPECTED =
      "write P90D for 90 days, P3M for three months or PT12H for twelve hours, at least PT1S";

  private static final Duration LONGEST = Duration.ofDays(36_525);

  private Expiry() {}

  /** The time {@code text} after {@code now}; null if that is invalid or not in the future. */
  static @Nullable Instant after(Instant now, String text) {
    try {
      Instant end =
          text.contains("T")
              ? now.plus(Duration.parse(text))
              : now.atOffset(ZoneOffset.UTC).plus(Period.parse(text)).toInstant();
      Duration ahead = Duration.between(now, end);
      boolean possible = ahead.toSeconds() >= 1 && ahead.compareTo(LONGEST) <= 0;
      return possible ? end : null;
    } catch (DateTimeException | ArithmeticException unreadable) {
      return null;
    }
  }
}
