package io.stockroom.protocol.check;

/** Looks for one kind of problem and notes what it finds. */
interface Rule {
  void look(Facts facts, CheckProblems problems);
}
