package io.stockroom.core.settings;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All limits as they apply to one merchant: the settings, with the operator's changes on top. */
public record Limits(
    Duration createInterval,
    int createElements,
    int adjustPerSecond,
    int detailPerDay,
    Span publishWindow,
    Span publishGrace,
    int publishMinimum,
    Share publishShare,
    PublishCounts publishCounts,
    int storeProducts,
    Span storeWindow,
    ZoneId zone) {

  /** The settings that may be changed for one merchant. */
  public static final List<Setting<?>> SETTINGS =
      List.of(
          LimitSettings.CREATE_INTERVAL,
          LimitSettings.CREATE_ELEMENTS,
          LimitSettings.ADJUST_PER_SECOND,
          LimitSettings.DETAIL_PER_DAY,
          LimitSettings.PUBLISH_WINDOW,
          LimitSettings.PUBLISH_GRACE,
          LimitSettings.PUBLISH_MINIMUM,
          LimitSettings.PUBLISH_SHARE,
          LimitSettings.PUBLISH_COUNTS,
          LimitSettings.STORE_PRODUCTS,
          LimitSettings.STORE_WINDOW,
          LimitSettings.ZONE);

  /** The limits with {@code overrides} by setting name, which must be possible. */
  public static Limits of(Settings settings, Map<String, String> overrides) {
    return of(settings, Map.of(), overrides);
  }

  /**
   * The limits of a merchant, by setting name.
   *
   * @param defaults what the operator set for all merchants
   * @param overrides what the operator set for this one
   */
  public static Limits of(
      Settings settings, Map<String, String> defaults, Map<String, String> overrides) {
    Map<String, Object> values = new HashMap<>();
    defaults.forEach((name, text) -> values.put(name, setting(name).parse().apply(text)));
    overrides.forEach((name, text) -> values.put(name, setting(name).parse().apply(text)));
    return new Limits(
        value(settings, values, LimitSettings.CREATE_INTERVAL),
        value(settings, values, LimitSettings.CREATE_ELEMENTS),
        value(settings, values, LimitSettings.ADJUST_PER_SECOND),
        value(settings, values, LimitSettings.DETAIL_PER_DAY),
        value(settings, values, LimitSettings.PUBLISH_WINDOW),
        value(settings, values, LimitSettings.PUBLISH_GRACE),
        value(settings, values, LimitSettings.PUBLISH_MINIMUM),
        value(settings, values, LimitSettings.PUBLISH_SHARE),
        value(settings, values, LimitSettings.PUBLISH_COUNTS),
        value(settings, values, LimitSettings.STORE_PRODUCTS),
        value(settings, values, LimitSettings.STORE_WINDOW),
        value(settings, values, LimitSettings.ZONE));
  }

  /** Says why a limit cannot be set so, or null where it can; {@code null} takes it away again. */
  public static @Nullable Problem problem(String name, @Nullable String text) {
    Optional<Setting<?>> setting =
        SETTINGS.stream().filter(known -> known.name().equals(name)).findFirst();
    if (setting.isEmpty()) {
      List<String> names = SETTINGS.stream().map(Setting::name).toList();
      return Problem.of(name, ErrorCode.LIMIT_UNKNOWN, name, names);
    }
    if (text == null) {
      return null;
    }
    try {
      var _ = LimitText.canonical(setting.get(), text);
      return null;
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException impossible) {
      return Problem.of(name, ErrorCode.LIMIT_IMPOSSIBLE, text, LimitText.expected(name));
    }
  }

  /** A value that {@link #problem} accepts, in the form in which it is stored: {@code PT2S}. */
  public static String stored(String name, String text) {
    return LimitText.canonical(setting(name), text);
  }

  private static Setting<?> setting(String name) {
    return SETTINGS.stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not a limit: " + name));
  }

  @SuppressWarnings("unchecked")
  private static <T> T value(Settings settings, Map<String, Object> values, Setting<T> setting) {
    Object changed = values.get(setting.name());
    return changed == null ? settings.get(setting) : (T) changed;
  }
}
