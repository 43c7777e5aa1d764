package io.stockroom.conformance;

import java.util.Locale;

/** The source of a rule. */
public enum Basis {
  /** The interface itself: every server that implements it must follow the rule. */
  INTERFACE,
  /** The interface leaves it open, and Stockroom's documentation defines it. */
  SETTLED;

  /** The name in options, tables and reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
