package io.stockroom.core.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Period;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses lengths of time as people write them: {@code 2 seconds}, {@code 1 小时 30 分钟}. */
final class TimeWords {
  private enum Unit {
    YEAR,
    MONTH,
    WEEK,
    DAY,
    HOUR,
    MINUTE,
    SECOND
  }

  private static final Map<String, Unit> UNITS =
      Map.ofEntries(
          Map.entry("year", Unit.YEAR),
          Map.entry("年", Unit.YEAR),
          Map.entry("month", Unit.MONTH),
          Map.entry("个月", Unit.MONTH),
          Map.entry("月", Unit.MONTH),
          Map.entry("week", Unit.WEEK),
          Map.entry("周", Unit.WEEK),
          Map.entry("星期", Unit.WEEK),
          Map.entry("day", Unit.DAY),
          Map.entry("d", Unit.DAY),
          Map.entry("天", Unit.DAY),
          Map.entry("日", Unit.DAY),
          Map.entry("hour", Unit.HOUR),
          Map.entry("h", Unit.HOUR),
          Map.entry("小时", Unit.HOUR),
          Map.entry("minute", Unit.MINUTE),
          Map.entry("min", Unit.MINUTE),
          Map.entry("分钟", Unit.MINUTE),
          Map.entry("分", Unit.MINUTE),
          Map.entry("second", Unit.SECOND),
          Map.entry("sec", Unit.SECOND),
          Map.entry("s", Unit.SECOND),
          Map.entry("秒钟", Unit.SECOND),
          Map.entry("秒", Unit.SECOND));

  private static final Pattern PART =
      Pattern.compile("\\G(?:,? (?:and )?)?([0-9]{1,9}(?:\\.[0-9]{1,3})?) ?(\\p{L}+)");

  private TimeWords() {}

  /**
   * @param text in lower case, with single spaces
   * @throws IllegalArgumentException if it is not a length of time, or names a unit twice
   */
  static Span parse(String text) {
    Period period = Period.ZERO;
    Duration duration = Duration.ZERO;
    Set<Unit> seen = EnumSet.noneOf(Unit.class);
    Matcher part = PART.matcher(text);
    int end = 0;
    while (part.find()) {
      Unit unit = unit(part.group(2));
      if (!seen.add(unit)) {
        throw new IllegalArgumentException("a unit twice");
      }
      BigDecimal amount = new BigDecimal(part.group(1));
      switch (unit) {
        case YEAR -> period = period.plusYears(amount.intValueExact());
        case MONTH -> period = period.plusMonths(amount.intValueExact());
        case WEEK -> period = period.plusDays(7L * amount.intValueExact());
        case DAY -> period = period.plusDays(amount.intValueExact());
        case HOUR -> duration = duration.plusHours(amount.intValueExact());
        case MINUTE -> duration = duration.plusMinutes(amount.intValueExact());
        case SECOND -> duration = duration.plusMillis(amount.movePointRight(3).longValueExact());
      }
      end = part.end();
    }
    if (end == 0 || end < text.length()) {
      throw new IllegalArgumentException("not a length of time");
    }
    return new Span(period, duration);
  }

  private static Unit unit(String word) {
    boolean plural = word.length() > 3 && word.endsWith("s");
    Unit unit = UNITS.get(plural ? word.substring(0, word.length() - 1) : word);
    if (unit == null) {
      throw new IllegalArgumentException("not a unit of time");
    }
    return unit;
  }
}
