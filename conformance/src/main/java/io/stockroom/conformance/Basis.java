package io.stockroom.conformance;

import java.util.Locale;

/** What a rule rests on. */
public enum Basis {
  /** The interface itself lays it down: every server that claims the interface owes it. */
  INTERFACE,
  /** The interface leaves it open, and the documents of Stockroom settle it. */
  SETTLED;

  /** The word for it in options, tables and reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
