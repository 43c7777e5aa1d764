package io.stockroom.conformance;

import java.util.Locale;

/** How a rule came out. */
public enum Outcome {
  HOLDS,
  BROKEN,
  SKIPPED;

  /** The word for it in tables and reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
