package io.stockroom.postgres;

import io.stockroom.core.database.StartException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the commands that run PostgreSQL programs on this machine as the right user. */
final class PostgresCommand {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresCommand.class);
  private static final List<String> NAMESPACE = List.of("unshare", "-U");

  private final @Nullable PostgresAccount account;
  private final List<String> asOrdinaryUser;
  private final List<String> inOwnSession;

  private PostgresCommand(
      @Nullable PostgresAccount account, List<String> asOrdinaryUser, List<String> inOwnSession) {
    this.account = account;
    this.asOrdinaryUser = asOrdinaryUser;
    this.inOwnSession = inOwnSession;
  }

  /**
   * Finds out how to run PostgreSQL with a database in {@code data}; throws if that is not
   * possible.
   */
  static PostgresCommand forThisUser(DataFolder data) {
    PostgresAccount account = null;
    List<String> asOrdinaryUser = List.of();
    if (CurrentUser.isRoot()) {
      account = accountFor(data);
      if (account != null) {
        data.letThrough();
      }
      asOrdinaryUser = account == null ? namespace(data) : account.prefix();
    } else if ("?".equals(System.getProperty("user.name")) && succeeds(NAMESPACE)) {
      // initdb requires a user name, which a container with an arbitrary uid lacks.
      asOrdinaryUser = NAMESPACE;
    }
    // Ctrl-C in a terminal reaches every process of the session; PostgreSQL must keep running until
    // the server stops it.
    List<String> inOwnSession = List.of("setsid");
    if (!succeeds(inOwnSession)) {
      LOG.warn("The program setsid is missing: Ctrl-C will stop PostgreSQL before the server.");
      inOwnSession = List.of();
    }
    return new PostgresCommand(account, asOrdinaryUser, inOwnSession);
  }

  /** The account that runs the programs; null for this process's own user. */
  @Nullable PostgresAccount account() {
    return account;
  }

  /** Whether the account can traverse a folder or run a program. */
  boolean reaches(Path path) {
    if (account == null) {
      return true;
    }
    List<String> look = new ArrayList<>(account.prefix());
    look.addAll(List.of("test", "-x", path.toString()));
    return runs(look);
  }

  /** Null if no other account can be used, or none can reach the data folder. */
  private static @Nullable PostgresAccount accountFor(DataFolder data) {
    PostgresAccount account = PostgresAccount.find(Path.of("/etc/passwd"));
    Path parent = data.path().getParent();
    if (account == null || parent == null) {
      return null;
    }
    boolean reached = new PostgresCommand(account, account.prefix(), List.of()).reaches(parent);
    return reached ? account : null;
  }

  /**
   * PostgreSQL refuses to run as root. In its own user namespace it runs without root's name, but
   * with root's file permissions.
   */
  private static List<String> namespace(DataFolder data) {
    if (!succeeds(NAMESPACE)) {
      throw new StartException(
          "PostgreSQL does not run as root, and no ordinary account can reach the data folder "
              + data.path()
              + ". Choose a folder that every account may pass through, such as"
              + " --data /var/lib/stockroom; or run Stockroom as an ordinary user; or give it the"
              + " address of a PostgreSQL server (15 or newer) with --database-url.");
    }
    LOG.warn(
        "PostgreSQL runs with root's file permissions, because no ordinary account can reach the"
            + " data folder {}. Choose a folder that every account may pass through, such as"
            + " --data /var/lib/stockroom, or run Stockroom as an ordinary user.",
        data.path());
    return NAMESPACE;
  }

  /** A program that runs until the server stops it. */
  ProcessBuilder daemon(Path program, List<String> arguments, ProcessBuilder.Redirect output) {
    List<String> command = new ArrayList<>(inOwnSession);
    command.addAll(asOrdinaryUser);
    return builder(command, program, arguments, output);
  }

  /** A short program; Ctrl-C stops it together with the server. */
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
    // Removes this user's settings for other PostgreSQL servers, and sets the language of the
    // messages that we parse.
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  private static boolean succeeds(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    return runs(command);
  }

  private static boolean runs(List<String> command) {
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
