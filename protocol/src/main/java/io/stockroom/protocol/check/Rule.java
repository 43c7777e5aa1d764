package io.stockroom.protocol.check;

/** Looks for one kind of mistake and notes what it finds. */
interface Rule {
  void look(Facts facts, Findings findings);
}
