package io.stockroom.core.settings;

import io.stockroom.protocol.Language;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;

/** The types of settings: how each parses its text, and what it tells the operator to write. */
final class SettingTypes {
  private SettingTypes() {}

  static <T> Setting<T> setting(
      String name, String standard, String expected, String meaning, Function<String, T> parse) {
    return new Setting<>(name, standard, expected, meaning, false, parse);
  }

  static Setting<String> text(String name, String standard, String meaning) {
    return setting(name, standard, "a text", meaning, String::strip);
  }

  static Setting<String> secret(String name, String meaning) {
    return new Setting<>(name, "", "a text", meaning, true, String::strip);
  }

  static Setting<Integer> integer(
      String name, String standard, int least, int most, String meaning) {
    String range =
        most == Integer.MAX_VALUE ? "of at least " + least : "from " + least + " to " + most;
    return setting(
        name, standard, "a whole number " + range, meaning, text -> bounded(text, least, most));
  }

  static Setting<Duration> duration(String name, String standard, Duration least, String meaning) {
    return setting(
        name,
        standard,
        "an ISO duration of at least " + least + ", such as PT2S",
        meaning,
        text -> {
          Duration duration = Duration.parse(text);
          if (duration.compareTo(least) < 0 || duration.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("out of range");
          }
          return duration;
        });
  }

  static Setting<Span> period(String name, String standard, String meaning) {
    return setting(
        name,
        standard,
        "an ISO period of at least P0D, such as P90D, P3M or PT30S",
        meaning,
        Span::parse);
  }

  static Setting<Span> session(String name, String standard, String meaning) {
    return setting(
        name,
        standard,
        "an ISO period of at least PT1M, such as PT12H or P14D",
        meaning,
        text -> {
          Span span = Span.parse(text);
          if (span.period().isZero() && span.duration().compareTo(Duration.ofMinutes(1)) < 0) {
            throw new IllegalArgumentException("too short");
          }
          return span;
        });
  }

  static int bounded(String text, int least, int most) {
    int number = Integer.parseInt(text.strip());
    if (number < least || number > most) {
      throw new IllegalArgumentException("out of range");
    }
    return number;
  }

  static boolean bool(String text) {
    return switch (text.strip()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  static boolean anySize(String text) {
    return switch (text.strip()) {
      case "numbers" -> false;
      case "any" -> true;
      default -> throw new IllegalArgumentException("unknown choice");
    };
  }

  static Language language(String text) {
    return Arrays.stream(Language.values())
        .filter(language -> language.tag().equals(text.strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown language"));
  }
}
