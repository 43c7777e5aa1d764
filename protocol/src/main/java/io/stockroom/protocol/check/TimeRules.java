package io.stockroom.protocol.check;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.AuthenticationHeaders;
import java.time.Duration;
import java.util.List;

/** Checks that the timestamp is Unix time in seconds and close to the server's clock. */
final class TimeRules {
  static final List<Rule> ALL = List.of(TimeRules::form, TimeRules::distance);

  private static final String WHERE = "headers.timestamp";
  private static final long QUARTER_HOUR = Duration.ofMinutes(15).toSeconds();
  private static final long MAX_ZONE = Duration.ofHours(14).toSeconds();

  private TimeRules() {}

  private static void form(Check check) {
    String timestamp = check.header("timestamp");
    if (!check.isRejected(ErrorCode.TIMESTAMP_FORMAT, "timestamp") || check.hasProblemAt(WHERE)) {
      return;
    }
    if (timestamp.matches("[0-9]{13}")) {
      check.report(Cause.TIMESTAMP_MILLISECONDS, WHERE, timestamp.substring(0, 10), timestamp);
    } else if (timestamp.matches("[0-9]{16}|[0-9]{19}")) {
      check.report(Cause.TIMESTAMP_MICROSECONDS, WHERE, timestamp.substring(0, 10), timestamp);
    } else if (timestamp.matches("[0-9]{10}[.,][0-9]*")) {
      check.report(Cause.TIMESTAMP_FRACTION, WHERE, timestamp.substring(0, 10), timestamp);
    } else if (timestamp.matches(
        "(19|20)[0-9]{2}[-/]?[01][0-9][-/]?[0-3][0-9].*|[A-Za-z]{3},? .*")) {
      check.report(Cause.TIMESTAMP_DATE, WHERE, "1767225600", timestamp);
    } else if (!check.hasReported(Cause.HEADERS_SWAPPED)) {
      check.report(Cause.TIMESTAMP_FORMAT, WHERE, "1767225600", timestamp);
    }
  }

  private static void distance(Check check) {
    Known.Clock clock = check.known().clock();
    String timestamp = check.header("timestamp");
    if (clock == null || !AuthenticationHeaders.isTimestamp(timestamp)) {
      return;
    }
    long now = clock.now().getEpochSecond();
    long ahead = Long.parseLong(timestamp) - now;
    if (Math.abs(ahead) <= clock.windowSeconds()) {
      return;
    }
    String expected = now + " ± " + clock.windowSeconds() + " s";
    String found = "%s (%+d s)".formatted(timestamp, ahead);
    boolean old = !clock.ofRequest() && ahead < 0;
    if (isZone(ahead) && !old) {
      check.report(
          Cause.CLOCK_ZONE, WHERE, expected, "%s (%+.1f h)".formatted(timestamp, ahead / 3600.0));
    } else {
      check.report(old ? Cause.TIMESTAMP_OLD : Cause.CLOCK_OFF, WHERE, expected, found);
    }
  }

  /** Time zones differ by quarter hours; a wrong clock is hardly ever off by exactly that much. */
  private static boolean isZone(long seconds) {
    long distance = Math.abs(seconds);
    long rest = distance % QUARTER_HOUR;
    return distance >= Duration.ofMinutes(29).toSeconds()
        && distance <= MAX_ZONE + 60
        && Math.min(rest, QUARTER_HOUR - rest) <= 5;
  }
}
