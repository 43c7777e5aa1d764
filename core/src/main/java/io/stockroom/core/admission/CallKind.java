package io.stockroom.core.admission;

import java.util.Locale;

/**
 * What a call asks of the server. Each kind has a limit of its own, so that none starves another.
 */
public enum CallKind {
  /** Reads of the interface. They share statements: many of them cost little more than one. */
  READ,
  CREATE,
  /** Product details, which are charged, and publish results. */
  DETAIL,
  /** Looking up credentials that are not cached. */
  CALLER,
  /** The operator's API. */
  OPERATOR,
  /** The pages of the console. */
  PAGE,
  /** Files that come or go, which takes as long as the other side does. */
  FILE;

  /** As it stands in the metrics. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
