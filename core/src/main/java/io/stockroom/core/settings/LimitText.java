package io.stockroom.core.settings;

import io.stockroom.protocol.Language;
import java.text.Normalizer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Limits as people write and read them: {@code 2 seconds}, {@code 10 per second}, {@code 90 天}. The
 * form of the settings ({@code PT2S}, {@code 10}) is accepted as well, and is what is stored.
 */
public final class LimitText {
  private static final String NUMBER = "([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,10})";
  private static final Pattern NO_LIMIT = Pattern.compile("no limit|none|unlimited|不限|无限制");
  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}) ?%");
  private static final Pattern PART_OF = Pattern.compile("([0-9]{1,9}) of ([0-9]{1,9})");

  /**
   * How a limit that counts is written.
   *
   * @param typed what is accepted beside the number alone
   * @param zero whether 0 turns the limit off
   */
  private record Count(
      String one, String many, String chinese, Pattern typed, boolean zero, String expected) {
    private static Count of(
        String one, String many, String chinese, String typed, boolean zero, String expected) {
      return new Count(
          one, many, chinese, Pattern.compile(typed.replace("N", NUMBER)), zero, expected);
    }
  }

  private static final String PRODUCTS = "N products?|N ?[个件] ?(?:商品|产品)?";

  private static final Map<String, Count> COUNTS =
      Map.of(
          LimitSettings.CREATE_ELEMENTS.name(),
          Count.of(
              "%s color group",
              "%s color groups",
              "%s 个颜色组",
              "N (?:color groups?|groups?|elements?)|N ?[个组] ?(?:颜色组|颜色)?",
              false,
              "a whole number from 1 to 10,000, such as 300 color groups"),
          LimitSettings.ADJUST_PER_SECOND.name(),
          Count.of(
              "%s per second",
              "%s per second",
              "每秒 %s 次",
              "N (?:requests? |calls? |times )?(?:per|a) second|N ?/ ?s(?:ec(?:ond)?)?"
                  + "|每秒 ?N ?次?|N ?次 ?[/每] ?秒",
              true,
              "a whole number from 0 to 1000 per second, such as 10 per second, or no limit"),
          LimitSettings.DETAIL_PER_DAY.name(),
          Count.of(
              "%s per day",
              "%s per day",
              "每天 %s 次",
              "N (?:details? |products? |times )?(?:per|a) day|N ?/ ?d(?:ay)?"
                  + "|每[天日] ?N ?[次个]?|N ?[次个] ?[/每] ?[天日]",
              false,
              "a whole number of at least 0 per day, such as 300 per day"),
          LimitSettings.PUBLISH_MINIMUM.name(),
          Count.of(
              "%s product",
              "%s products",
              "%s 个商品",
              PRODUCTS,
              false,
              "a whole number of at least 0, such as 30 products"),
          LimitSettings.STORE_PRODUCTS.name(),
          Count.of(
              "%s product",
              "%s products",
              "%s 个商品",
              PRODUCTS,
              false,
              "a whole number of at least 0, such as 5,000 products"));

  private static final Map<String, String> EXPECTED =
      Map.of(
          LimitSettings.CREATE_INTERVAL.name(),
          "a time from 0 seconds to 1 day, such as 2 seconds, or no limit",
          LimitSettings.PUBLISH_WINDOW.name(),
          "a length of time up to 100 years, such as 90 days",
          LimitSettings.PUBLISH_GRACE.name(),
          "a length of time up to 100 years, such as 7 days",
          LimitSettings.STORE_WINDOW.name(),
          "a length of time up to 100 years, such as 3 months",
          LimitSettings.PUBLISH_SHARE.name(),
          "a fraction from 0/1 to 1/1 such as 2/3, or a percentage such as 70%",
          LimitSettings.PUBLISH_COUNTS.name(),
          "reported or published",
          LimitSettings.ZONE.name(),
          "a time zone such as UTC or Asia/Shanghai");

  private LimitText() {}

  /** What a right value looks like, for the message about a wrong one. */
  static String expected(String name) {
    Count count = COUNTS.get(name);
    return count == null ? Objects.requireNonNull(EXPECTED.get(name), name) : count.expected;
  }

  /**
   * The value as settings write it.
   *
   * @throws IllegalArgumentException or a {@code DateTimeException} or {@code ArithmeticException}
   *     if it is impossible
   */
  static String canonical(Setting<?> setting, String typed) {
    String text = Normalizer.normalize(typed, Normalizer.Form.NFKC).strip().replaceAll("\\s+", " ");
    String settingText = asSetting(setting, text.toLowerCase(Locale.ROOT));
    return String.valueOf(setting.parse().apply(settingText == null ? text : settingText));
  }

  /** Null if the text has no words that a setting would not understand. */
  private static @Nullable String asSetting(Setting<?> setting, String text) {
    Count count = COUNTS.get(setting.name());
    if (count != null) {
      if (count.zero && NO_LIMIT.matcher(text).matches()) {
        return "0";
      }
      return number(count, text);
    }
    if (setting.equals(LimitSettings.PUBLISH_SHARE)) {
      return share(text);
    }
    if (setting.equals(LimitSettings.ZONE)
        || setting.equals(LimitSettings.PUBLISH_COUNTS)
        || text.startsWith("p")) {
      return null;
    }
    if (setting.equals(LimitSettings.CREATE_INTERVAL)) {
      return NO_LIMIT.matcher(text).matches() ? "PT0S" : interval(TimeWords.parse(text)).toString();
    }
    return TimeWords.parse(text).toString();
  }

  private static Duration interval(Span span) {
    if (span.period().toTotalMonths() != 0) {
      throw new IllegalArgumentException("not an exact duration");
    }
    return span.duration().plusDays(span.period().get(ChronoUnit.DAYS));
  }

  private static @Nullable String number(Count count, String text) {
    Matcher plain = Pattern.compile(NUMBER).matcher(text);
    Matcher typed = count.typed.matcher(text);
    Matcher found = plain.matches() ? plain : typed;
    if (found == typed && !typed.matches()) {
      return null;
    }
    for (int group = 1; group <= found.groupCount(); group++) {
      if (found.group(group) != null) {
        return found.group(group).replace(",", "");
      }
    }
    return null;
  }

  private static @Nullable String share(String text) {
    Matcher percent = PERCENT.matcher(text);
    if (percent.matches()) {
      return percent.group(1) + "/100";
    }
    Matcher of = PART_OF.matcher(text);
    return of.matches() ? of.group(1) + "/" + of.group(2) : null;
  }

  /** A stored value for people: {@code 2 seconds} for {@code PT2S}. */
  public static String of(String name, String value, Language language) {
    Count count = COUNTS.get(name);
    boolean off =
        count != null
            ? count.zero && value.strip().equals("0")
            : name.equals(LimitSettings.CREATE_INTERVAL.name()) && isZero(value);
    if (off) {
      return switch (language) {
        case ENGLISH -> "no limit";
        case CHINESE -> "不限";
      };
    }
    if (count == null) {
      return ReadableDuration.of(value, language);
    }
    if (!value.strip().matches("[0-9]{1,10}")) {
      return value;
    }
    long number = Long.parseLong(value.strip());
    String form =
        switch (language) {
          case ENGLISH -> number == 1 ? count.one : count.many;
          case CHINESE -> count.chinese;
        };
    return form.formatted(String.format(Locale.ROOT, "%,d", number));
  }

  private static boolean isZero(String value) {
    return value.equals("PT0S");
  }
}
