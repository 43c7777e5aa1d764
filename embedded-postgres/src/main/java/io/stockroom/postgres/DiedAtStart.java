package io.stockroom.postgres;

import io.stockroom.core.database.StartException;
import java.util.List;

/** PostgreSQL ended before it accepted a login. */
final class DiedAtStart extends StartException {
  private static final List<String> PASSING_CAUSES =
      List.of("pre-existing shared memory block", "could not create any TCP/IP sockets");

  private final boolean mayPass;

  DiedAtStart(PostgresLog log, String lastMessages) {
    super("PostgreSQL ended while starting. Its last messages, from " + log + ":\n" + lastMessages);
    this.mayPass = PASSING_CAUSES.stream().anyMatch(lastMessages::contains);
  }

  /**
   * Says whether another attempt may succeed: the children of a killed postmaster are still in the
   * folder for a moment, or another program has just taken the port.
   */
  boolean mayPass() {
    return mayPass;
  }
}
