package io.stockroom.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;

/** Reads values from the command line, and writes those of the server for people. */
final class Values {
  /** Ends the old secret immediately. */
  static final String NO_GRACE = "PT0S";

  private static final DateTimeFormatter MINUTES = format("uuuu-MM-dd HH:mm'Z'");
  private static final DateTimeFormatter SECONDS = format("uuuu-MM-dd HH:mm:ss'Z'");

  private Values() {}

  static Long merchantId(String text) {
    return positive(text, 18, "a merchant number (see: stockroom merchant list)");
  }

  static Long importId(String text) {
    return positive(text, 18, "an import number (see: stockroom import list)");
  }

  static Long page(String text) {
    return positive(text, 9, "a page; pages start at 1");
  }

  private static Long positive(String text, int digits, String what) {
    if (!text.matches("[1-9][0-9]{0,%d}".formatted(digits - 1))) {
      throw new TypeConversionException("'" + text + "' is not " + what);
    }
    return Long.valueOf(text);
  }

  static Integer integer(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not an int");
    }
  }

  static LocalDate day(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeException e) {
      throw new TypeConversionException("'" + text + "' is not a date; write it as 2026-01-01");
    }
  }

  /**
   * A token's lifetime as an ISO 8601 period or duration; validated here, computed by the server.
   */
  static String expiry(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    if (!isPositivePeriod(upper)) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration; write P90D for 90 days, PT12H for 12 hours");
    }
    return upper;
  }

  /** How long a replaced secret keeps working; may be zero. */
  static String gracePeriod(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    if (upper.matches("P0[YMWD]|PT0[HMS]")) {
      return NO_GRACE;
    }
    if (!isPositivePeriod(upper)) {
      throw new TypeConversionException(
          "'%s' is not a duration; write P7D for 7 days, PT0S to end the old secret immediately"
              .formatted(text));
    }
    return upper;
  }

  /** Whether {@code text}, in upper case, is a positive period or duration. */
  static boolean isPositivePeriod(String text) {
    try {
      if (text.contains("T")) {
        return Duration.parse(text).isPositive();
      }
      Period period = Period.parse(text);
      return !period.isNegative() && !period.isZero();
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** A time from the server; empty if there is none. */
  static Optional<Instant> instant(JsonNode value) {
    try {
      return Optional.of(Instant.parse(value.asString("")));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The time for people; with seconds only if they are not zero. */
  static String time(JsonNode value) {
    return instant(value)
        .map(
            moment ->
                (moment.getEpochSecond() % 60 == 0 ? MINUTES : SECONDS)
                    .format(moment.atOffset(ZoneOffset.UTC)))
        .orElseGet(() -> Output.text(value, "-"));
  }

  /** A count with its noun, in the singular or the plural. */
  static String count(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }

  /**
   * Prints the position in a long list, and the command for the next page.
   *
   * @param command the command that showed this page, without its {@code --page}
   */
  static void concludePage(JsonNode page, String command, Output output) {
    long number = page.path("page").asLong(1);
    long totalPages = page.path("totalPages").asLong(1);
    if (number > totalPages) {
      output.line(
          "There is no page %d; the last page is %d.".formatted(number, Math.max(1, totalPages)));
    } else if (number < totalPages) {
      output.line(
          "Page %d of %d. Next: %s --page %d".formatted(number, totalPages, command, number + 1));
    } else if (number > 1) {
      output.line("Page %d of %d.".formatted(number, totalPages));
    }
  }

  /** Pauses between two looks at the server, for commands that follow something. */
  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("The command was interrupted.", stopping);
    }
  }

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }
}
