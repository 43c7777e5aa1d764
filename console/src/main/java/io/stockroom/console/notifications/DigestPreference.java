package io.stockroom.console.notifications;

import io.stockroom.protocol.Language;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * Whether and when a person wants the daily digest.
 *
 * @param hour the hour of the day, in the time zone
 */
public record DigestPreference(boolean isOn, int hour, ZoneId zone, Language language) {
  public static final int STANDARD_HOUR = 8;
  static final int MAX_HOUR = 23;

  public DigestPreference {
    if (hour < 0 || hour > MAX_HOUR) {
      throw new IllegalArgumentException("not an hour: " + hour);
    }
  }

  /** The first time after {@code now} at which a digest is due. */
  Instant next(Instant now) {
    ZonedDateTime today = now.atZone(zone).toLocalDate().atTime(hour, 0).atZone(zone);
    return today.toInstant().isAfter(now)
        ? today.toInstant()
        : today.toLocalDate().plusDays(1).atTime(hour, 0).atZone(zone).toInstant();
  }
}
