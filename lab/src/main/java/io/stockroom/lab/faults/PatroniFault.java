package io.stockroom.lab.faults;

import java.util.Locale;
import java.util.function.Consumer;

/** What happens to the primary, and how its machine comes back after the failover. */
enum PatroniFault {
  KILL(
      "kill -9 of PostgreSQL and Patroni, as when the machine dies",
      PatroniMember::kill,
      PatroniMember::start),
  CRASH("kill -9 of PostgreSQL only; Patroni stays", PatroniMember::crash, member -> {}),
  FREEZE(
      "SIGSTOP of PostgreSQL and Patroni: connections stay open",
      PatroniMember::freeze,
      PatroniMember::thaw),
  CUT(
      "the network drops everything from and to the machine (root only)",
      PatroniMember::cut,
      PatroniMember::join);

  private final String meaning;
  private final Consumer<PatroniMember> strike;
  private final Consumer<PatroniMember> repair;

  PatroniFault(String meaning, Consumer<PatroniMember> strike, Consumer<PatroniMember> repair) {
    this.meaning = meaning;
    this.strike = strike;
    this.repair = repair;
  }

  /** As in {@code --only} and in the table. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  String meaning() {
    return meaning;
  }

  void strike(PatroniMember primary) {
    strike.accept(primary);
  }

  void repair(PatroniMember member) {
    repair.accept(member);
  }
}
