package io.stockroom.protocol.check;

/** Looks for one kind of problem. */
interface Rule {
  void look(CheckInput facts, CheckProblems problems);
}
