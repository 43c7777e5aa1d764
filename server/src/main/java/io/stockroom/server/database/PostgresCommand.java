package io.stockroom.server.database;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a PostgreSQL program is started on this machine by this user. */
final class PostgresCommand {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresCommand.class);
  private static final List<String> NAMESPACE = List.of("unshare", "-U");

  private final List<String> asOrdinaryUser;
  private final List<String> inOwnSession;

  private PostgresCommand(List<String> asOrdinaryUser, List<String> inOwnSession) {
    this.asOrdinaryUser = asOrdinaryUser;
    this.inOwnSession = inOwnSession;
  }

  /** Finds out what this machine offers, refusing where PostgreSQL could not run. */
  static PostgresCommand forThisUser() {
    List<String> asOrdinaryUser = List.of();
    if (CurrentUser.isRoot()) {
      // PostgreSQL refuses to run as root. In a user namespace of its own it is nobody, while the
      // files it makes still belong to root.
      if (!succeeds(NAMESPACE)) {
        throw new StartRefused(
            "PostgreSQL does not run as root, and this system does not let Stockroom start it in a"
                + " user namespace. Run Stockroom as an ordinary user, or give it the address of a"
                + " PostgreSQL server (15 or newer) with --database-url.");
      }
      asOrdinaryUser = NAMESPACE;
    } else if ("?".equals(System.getProperty("user.name")) && succeeds(NAMESPACE)) {
      // initdb wants its user to have a name, which a container with a free user number lacks.
      asOrdinaryUser = NAMESPACE;
    }
    // Ctrl-C at a terminal reaches every process of the session; PostgreSQL must outlive it until
    // the server has finished its work and stops it.
    List<String> inOwnSession = List.of("setsid");
    if (!succeeds(inOwnSession)) {
      LOG.warn("The program setsid is missing: Ctrl-C will stop PostgreSQL before the server.");
      inOwnSession = List.of();
    }
    return new PostgresCommand(asOrdinaryUser, inOwnSession);
  }

  /** A program that runs beside the server until it is told to stop. */
  ProcessBuilder daemon(Path program, List<String> arguments, ProcessBuilder.Redirect output) {
    List<String> command = new ArrayList<>(inOwnSession);
    command.addAll(asOrdinaryUser);
    return builder(command, program, arguments, output);
  }

  /** A program that does one thing and ends, also when Ctrl-C ends the server. */
  ProcessBuilder task(Path program, List<String> arguments, ProcessBuilder.Redirect output) {
    return builder(new ArrayList<>(asOrdinaryUser), program, arguments, output);
  }

  private static ProcessBuilder builder(
      List<String> command, Path program, List<String> arguments, ProcessBuilder.Redirect output) {
    command.add(program.toString());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(output);
    // Settings meant for other PostgreSQL servers and clients of this user must not reach ours, and
    // its messages are read by us.
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  private static boolean succeeds(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (process.waitFor(10, TimeUnit.SECONDS)) {
        return process.exitValue() == 0;
      }
      process.destroyForcibly();
      return false;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
