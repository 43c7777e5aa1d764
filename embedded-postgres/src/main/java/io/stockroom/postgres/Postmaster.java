package io.stockroom.postgres;

import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of the {@code postgres} program, the parent of all its processes. */
final class Postmaster {
  // Crash recovery reads up to max_wal_size of WAL, which takes minutes on a slow disk.
  private static final Duration MAX_START = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(10);

  private static final List<String> SETTINGS =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          // Durability, regardless of a configuration file in the folder.
          "fsync=on",
          "full_page_writes=on",
          "synchronous_commit=on",
          // If one of its processes crashes, PostgreSQL exits and the supervisor restarts it. With
          // its own restart, PostgreSQL 18 stays in recovery forever if recovery fails as well.
          "restart_after_crash=off",
          "max_connections=520",
          // Merchants move to other cells by logical replication.
          "wal_level=logical",
          "shared_buffers=256MB",
          "max_wal_size=2GB",
          // Filling a new WAL file takes 40 ms and more, for which every commit waits: reuse them.
          "min_wal_size=1GB",
          // The bundled build has no lz4.
          "wal_compression=off",
          "random_page_cost=1.1",
          "jit=off",
          "timezone=UTC",
          "log_timezone=UTC",
          "logging_collector=off",
          "log_destination=stderr",
          "log_checkpoints=off");

  private final Process process;
  private final Path pidFile;
  private final PostgresLog log;
  private final long logSizeBefore;

  private Postmaster(Process process, Path pidFile, PostgresLog log, long logSizeBefore) {
    this.process = process;
    this.pidFile = pidFile;
    this.log = log;
    this.logSizeBefore = logSizeBefore;
  }

  static Postmaster launch(
      PostgresBinaries binaries,
      PostgresCommand command,
      DatabaseFiles files,
      PostgresLog log,
      int port)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-D", files.folder().toString()));
    arguments.addAll(List.of("-c", "port=" + port));
    SETTINGS.forEach(setting -> arguments.addAll(List.of("-c", setting)));
    long logSizeBefore = log.size();
    Process process = command.daemon(binaries.postgres(), arguments, log.destination()).start();
    return new Postmaster(process, files.folder().resolve("postmaster.pid"), log, logSizeBefore);
  }

  /** Waits until a login succeeds. If it throws, the process has exited. */
  void awaitLogin(PostgresLogin login) {
    long deadline = System.nanoTime() + MAX_START.toNanos();
    while (!endsWithin(POLL)) {
      boolean late = System.nanoTime() - deadline > 0;
      try {
        // Until then, another program may own the port and leave the login hanging.
        if (saysReady()) {
          login.attempt();
          return;
        }
        if (late) {
          stop();
          throw new StartException(
              "PostgreSQL was not ready after " + MAX_START.toMinutes() + " minutes; see " + log);
        }
      } catch (SQLException e) {
        if (late || !PostgresLogin.mayPass(e)) {
          stop();
          throw new StartException(
              "PostgreSQL is running but rejects the login of Stockroom: " + e.getMessage(), e);
        }
      }
    }
    throw new PostgresExitedException(log, log.since(logSizeBefore));
  }

  // line 1 of the file is the process id, line 8 the state
  private boolean saysReady() {
    try {
      List<String> lines = Files.readAllLines(pidFile);
      return lines.size() >= 8
          && lines.getFirst().strip().equals(Long.toString(pid()))
          && lines.get(7).strip().equals("ready");
    } catch (IOException e) {
      return false;
    }
  }

  boolean endsWithin(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while watching PostgreSQL", e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  long pid() {
    return process.pid();
  }

  void stop() {
    if (process.isAlive()) {
      FolderProcesses.stop(process.pid());
    }
  }
}
