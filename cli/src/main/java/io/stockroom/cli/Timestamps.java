package io.stockroom.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A time from the server. */
final class Timestamps {
  private static final DateTimeFormatter MINUTES = format("uuuu-MM-dd HH:mm'Z'");
  private static final DateTimeFormatter SECONDS = format("uuuu-MM-dd HH:mm:ss'Z'");

  private Timestamps() {}

  /** The time; empty if there is none. */
  static Optional<Instant> of(JsonNode value) {
    try {
      return Optional.of(Instant.parse(value.asString("")));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The time for people; with seconds only if they are not zero. */
  static String text(JsonNode value) {
    return of(value)
        .map(
            moment ->
                (moment.getEpochSecond() % 60 == 0 ? MINUTES : SECONDS)
                    .format(moment.atOffset(ZoneOffset.UTC)))
        .orElseGet(() -> Output.text(value, "-"));
  }

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }
}
