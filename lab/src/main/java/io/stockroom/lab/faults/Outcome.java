package io.stockroom.lab.faults;

/** What a client knows of its request. */
enum Outcome {
  /** The server said that it is done: all of it must be in the database, for ever. */
  ACKNOWLEDGED,
  /** The server said no: nothing of it may be in the database. */
  REFUSED,
  /** No answer, or one that asks to try again: all of it or nothing must be in the database. */
  UNKNOWN
}
