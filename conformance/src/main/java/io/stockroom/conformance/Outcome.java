package io.stockroom.conformance;

import java.util.Locale;

/** The outcome of a rule. */
public enum Outcome {
  HOLDS,
  BROKEN,
  SKIPPED;

  /** The name in tables and reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
