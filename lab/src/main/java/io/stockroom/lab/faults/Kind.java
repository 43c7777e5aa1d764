package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;

/** The kinds of requests. */
enum Kind {
  /** Many entries at once; key: a color that no other request uses. */
  CREATE,
  /** Adds one to an entry; key: an entry that is adjusted once. */
  ADJUST,
  /** One product's detail, which is charged; key: a product that is fetched once. */
  DETAIL,
  /** Several products at once; key: the beginning of their item numbers. */
  IMPORT;

  /** Whether the same request may be resent until it is acknowledged. */
  boolean repeatable() {
    return this != DETAIL;
  }

  Outcome outcome(Answer answer) {
    if (answer.isUnknown()) {
      return Outcome.UNKNOWN;
    }
    boolean done =
        this == IMPORT
            ? answer.status() == 200 && answer.text().contains("\"state\":\"applied\"")
            : answer.isDone();
    return done ? Outcome.ACKNOWLEDGED : Outcome.REFUSED;
  }
}
