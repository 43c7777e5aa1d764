package io.stockroom.core.settings;

import java.util.Locale;

/** Which publish results count for the share of fetched products that need one. */
public enum PublishCounts {
  /** Every reported result: published, failed or withdrawn. */
  REPORTED,
  /** Only products that are published. */
  PUBLISHED;

  static PublishCounts parse(String text) {
    return valueOf(text.strip().toUpperCase(Locale.ROOT));
  }

  /** As it is written in settings. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
