package io.stockroom.protocol.check;

/** Looks for one kind of problem, and reports it to the check. */
interface Rule {
  void apply(Check check);
}
