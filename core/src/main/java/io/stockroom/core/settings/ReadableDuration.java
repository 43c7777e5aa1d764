package io.stockroom.core.settings;

import io.stockroom.protocol.Language;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;

/** Formats durations of settings in words: {@code 2 seconds} for {@code PT2S}. */
public final class ReadableDuration {
  private static final List<String> ENGLISH =
      List.of("year", "month", "day", "hour", "minute", "second");
  private static final List<String> CHINESE = List.of("年", "个月", "天", "小时", "分钟", "秒");

  private ReadableDuration() {}

  /** The duration in words; returns other values unchanged. */
  public static String of(String value, Language language) {
    Span span;
    try {
      span = Span.parse(value);
    } catch (DateTimeException | IllegalArgumentException other) {
      return value;
    }
    Period calendar = span.period();
    Duration clock = span.duration();
    List<BigDecimal> amounts =
        List.of(
            BigDecimal.valueOf(calendar.getYears()),
            BigDecimal.valueOf(calendar.getMonths()),
            BigDecimal.valueOf(calendar.getDays() + clock.toDaysPart()),
            BigDecimal.valueOf(clock.toHoursPart()),
            BigDecimal.valueOf(clock.toMinutesPart()),
            BigDecimal.valueOf(clock.toSecondsPart())
                .add(BigDecimal.valueOf(clock.toNanosPart(), 9)));
    List<String> words = new ArrayList<>();
    for (int unit = 0; unit < amounts.size(); unit++) {
      if (amounts.get(unit).signum() != 0) {
        words.add(word(amounts.get(unit), unit, language));
      }
    }
    return words.isEmpty()
        ? word(BigDecimal.ZERO, ENGLISH.size() - 1, language)
        : String.join(" ", words);
  }

  private static String word(BigDecimal amount, int unit, Language language) {
    String number = amount.stripTrailingZeros().toPlainString();
    return switch (language) {
      case ENGLISH -> number + " " + ENGLISH.get(unit) + (number.equals("1") ? "" : "s");
      case CHINESE -> number + " " + CHINESE.get(unit);
    };
  }
}
