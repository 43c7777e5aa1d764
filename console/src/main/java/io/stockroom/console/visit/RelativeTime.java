package io.stockroom.console.visit;

import io.stockroom.protocol.Language;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says how long ago something was: {@code 5 minutes ago}. The script of the pages does the same.
 */
final class RelativeTime {
  /** Older times are shown as dates. */
  static final Duration MAX_AGE = Duration.ofDays(7);

  private RelativeTime() {}

  /** The age in words; null if it is no longer recent. */
  static @Nullable String of(Duration age, Language language) {
    if (age.compareTo(MAX_AGE) >= 0) {
      return null;
    }
    // the clocks of nodes and of the database differ a little
    if (age.compareTo(Duration.ofMinutes(1)) < 0) {
      return switch (language) {
        case ENGLISH -> "just now";
        case CHINESE -> "刚刚";
      };
    }
    if (age.toHours() < 1) {
      return words(age.toMinutes(), "minute", "分钟", language);
    }
    return age.toDays() < 1
        ? words(age.toHours(), "hour", "小时", language)
        : words(age.toDays(), "day", "天", language);
  }

  private static String words(long number, String unit, String chinese, Language language) {
    return switch (language) {
      case ENGLISH -> "%d %s%s ago".formatted(number, unit, number == 1 ? "" : "s");
      case CHINESE -> "%d %s前".formatted(number, chinese);
    };
  }
}
