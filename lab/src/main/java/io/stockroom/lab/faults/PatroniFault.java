package io.stockroom.lab.faults;

import java.util.Locale;

/** What happens to the primary, and how its machine comes back after the failover. */
enum PatroniFault {
  KILL("kill -9 of PostgreSQL and Patroni, as when the machine dies"),
  CRASH("kill -9 of PostgreSQL only; Patroni stays"),
  FREEZE("SIGSTOP of PostgreSQL and Patroni: connections stay open"),
  CUT("the network drops everything from and to the machine (root only)");

  private final String meaning;

  PatroniFault(String meaning) {
    this.meaning = meaning;
  }

  /** As in {@code --only} and in the table. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  String meaning() {
    return meaning;
  }

  void strike(PatroniMember primary) {
    switch (this) {
      case KILL -> primary.kill();
      case CRASH -> primary.crash();
      case FREEZE -> primary.freeze();
      case CUT -> primary.cut();
    }
  }

  void repair(PatroniMember member) {
    switch (this) {
      case KILL -> member.start();
      case CRASH -> {
        // Patroni starts it again
      }
      case FREEZE -> member.thaw();
      case CUT -> member.join();
    }
  }
}
