package io.stockroom.lab.faults;

/** What a client knows about its request. */
enum Outcome {
  /** The server reported success: all of it must be in the database permanently. */
  ACKNOWLEDGED,
  /** The server rejected it: nothing of it may be in the database. */
  REFUSED,
  /** No response, or one that asks to retry: all of it or nothing must be in the database. */
  UNKNOWN
}
