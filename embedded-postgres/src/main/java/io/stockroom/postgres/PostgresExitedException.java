package io.stockroom.postgres;

import io.stockroom.core.database.StartException;
import java.util.List;

/** PostgreSQL exited before it accepted a login. */
final class PostgresExitedException extends StartException {
  private static final List<String> PASSING_CAUSES =
      List.of("pre-existing shared memory block", "could not create any TCP/IP sockets");

  private final boolean mayPass;

  PostgresExitedException(PostgresLog log, String lastMessages) {
    super(
        "PostgreSQL exited during startup. Its last messages, from " + log + ":\n" + lastMessages);
    this.mayPass = PASSING_CAUSES.stream().anyMatch(lastMessages::contains);
  }

  /**
   * Whether a retry may succeed: the children of a killed postmaster may still be exiting, or
   * another program has just taken the port.
   */
  boolean mayPass() {
    return mayPass;
  }
}
