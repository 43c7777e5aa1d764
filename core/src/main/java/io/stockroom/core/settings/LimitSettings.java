package io.stockroom.core.settings;

import static io.stockroom.core.settings.SettingTypes.duration;
import static io.stockroom.core.settings.SettingTypes.integer;
import static io.stockroom.core.settings.SettingTypes.period;
import static io.stockroom.core.settings.SettingTypes.setting;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** The settings of the limits; an operator can set most of them for a merchant too. */
public final class LimitSettings {
  public static final Setting<Duration> CREATE_INTERVAL =
      duration(
          "limits.create-interval",
          "PT2S",
          Duration.ZERO,
          "Time between two create requests of an application for a merchant; PT0S: no rate"
              + " limit.");
  public static final Setting<Integer> CREATE_ELEMENTS =
      integer(
          "limits.create-elements", "300", 1, 10_000, "Maximum color groups in a create request.");
  public static final Setting<Integer> ADJUST_PER_SECOND =
      integer(
          "limits.adjust-per-second",
          "10",
          0,
          1000,
          "Adjust requests of an application for a merchant in one second; 0: no rate limit.");
  public static final Setting<Integer> DETAIL_PER_DAY =
      integer(
          "limits.detail-per-day",
          "300",
          0,
          Integer.MAX_VALUE,
          "Product details that a merchant may fetch per day.");
  public static final Setting<Span> PUBLISH_WINDOW =
      period(
          "limits.publish-window", "P90D", "How far back fetched products need publish results.");
  public static final Setting<Span> PUBLISH_GRACE =
      period(
          "limits.publish-grace", "P7D", "How long after the first fetch a publish result is due.");
  public static final Setting<Integer> PUBLISH_MINIMUM =
      integer(
          "limits.publish-minimum",
          "30",
          0,
          Integer.MAX_VALUE,
          "Number of due products from which limits.publish-share applies.");
  public static final Setting<Share> PUBLISH_SHARE =
      setting(
          "limits.publish-share",
          "2/3",
          "a fraction from 0/1 to 1/1 such as 2/3",
          "Share of the due products that must have a publish result.",
          Share::parse);
  public static final Setting<PublishCounts> PUBLISH_COUNTS =
      setting(
          "limits.publish-counts",
          "reported",
          "reported or published",
          "Which results count for limits.publish-share: every reported one (published, failed or"
              + " withdrawn), or only published.",
          PublishCounts::parse);
  public static final Setting<Integer> STORE_PRODUCTS =
      integer(
          "limits.store-products",
          "5000",
          0,
          Integer.MAX_VALUE,
          "Distinct products that may be fetched for one bound store.");
  public static final Setting<Span> STORE_WINDOW =
      period("limits.store-window", "P3M", "The sliding window of limits.store-products.");
  public static final Setting<ZoneId> ZONE =
      setting(
          "limits.zone",
          "UTC",
          "a time zone such as UTC or Asia/Shanghai",
          "Time zone in which the day of limits.detail-per-day starts at midnight.",
          ZoneId::of);

  static final List<Setting<?>> ALL =
      List.of(
          CREATE_INTERVAL,
          CREATE_ELEMENTS,
          ADJUST_PER_SECOND,
          DETAIL_PER_DAY,
          PUBLISH_WINDOW,
          PUBLISH_GRACE,
          PUBLISH_MINIMUM,
          PUBLISH_SHARE,
          PUBLISH_COUNTS,
          STORE_PRODUCTS,
          STORE_WINDOW,
          ZONE);

  private LimitSettings() {}
}
