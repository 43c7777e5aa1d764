package io.stockroom.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PostgreSQL processes in one database folder, found through {@code /proc}; a killed server may
 * have left them behind. The caller must hold the data folder, so no one else can have started
 * them.
 */
final class FolderProcesses {
  private static final Logger LOG = LoggerFactory.getLogger(FolderProcesses.class);
  private static final Path PROC = Path.of("/proc");
  private static final Duration FAST = Duration.ofSeconds(20);
  private static final Duration IMMEDIATE = Duration.ofSeconds(5);
  private static final int KILL_ROUNDS = 3;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Path folder;

  FolderProcesses(Path folder) {
    this.folder = folder;
  }

  /** Stops processes that an earlier server left behind, and removes a stale postmaster.pid. */
  void clear() throws IOException {
    Path pidFile = folder.resolve("postmaster.pid");
    Optional<Long> named =
        firstLine(pidFile).filter(l -> l.matches("[0-9]{1,10}")).map(Long::valueOf);
    if (named.isPresent()) {
      long pid = named.get();
      if (isPostmasterHere(pid)) {
        LOG.info("Stopping PostgreSQL (process {}), which an earlier server left running.", pid);
        stop(pid);
      }
      if (ProcessHandle.of(pid).isPresent() && !isPostmasterHere(pid)) {
        // The process id now belongs to another program or to a zombie. PostgreSQL would mistake it
        // for a running postmaster.
        LOG.info("Removing stale {}: process {} is not a PostgreSQL of this folder.", pidFile, pid);
        Files.deleteIfExists(pidFile);
      }
    }
    killChildren();
  }

  /**
   * Stops a postmaster: first with a fast shutdown, which loses nothing, then with stronger
   * signals.
   */
  static void stop(long pid) {
    signal(pid, "INT");
    if (ends(pid, FAST)) {
      return;
    }
    LOG.warn("PostgreSQL (process {}) does not stop; killing it.", pid);
    signal(pid, "QUIT");
    if (!ends(pid, IMMEDIATE)) {
      signal(pid, "KILL");
      ends(pid, IMMEDIATE);
    }
  }

  /**
   * Kills the children of a dead postmaster. They exit on their own, but only after their current
   * statement, and block a new postmaster until then.
   */
  void killChildren() {
    killAll(this::isPostgresHere);
  }

  /** Kills an initdb that a killed server left behind, and its helpers. */
  void killInitdb() {
    killAll(pid -> isInitdbHere(pid) || isPostgresHere(pid));
  }

  // Repeats, because a process may have started another one in the meantime.
  private static void killAll(LongPredicate wanted) {
    for (int round = 0; round < KILL_ROUNDS; round++) {
      List<Long> found =
          ProcessHandle.allProcesses().map(ProcessHandle::pid).filter(wanted::test).toList();
      if (found.isEmpty()) {
        return;
      }
      found.forEach(pid -> signal(pid, "KILL"));
      found.forEach(pid -> ends(pid, IMMEDIATE));
    }
  }

  private boolean isInitdbHere(long pid) {
    List<String> arguments = List.of(commandLine(pid).split("\0", -1));
    return isProgram(arguments.getFirst(), "initdb") && arguments.contains("--pgdata=" + folder);
  }

  // The children of a postmaster soon change their process title.
  private boolean isPostgresHere(long pid) {
    String line = commandLine(pid);
    return (line.startsWith("postgres: ") || isProgram(line.split("\0", -1)[0], "postgres"))
        && worksHere(pid);
  }

  private static boolean isProgram(String path, String name) {
    return path.equals(name) || path.endsWith("/" + name);
  }

  private boolean isPostmasterHere(long pid) {
    String[] arguments = commandLine(pid).split("\0", -1);
    if (!isProgram(arguments[0], "postgres")) {
      return false;
    }
    for (int i = 1; i + 1 < arguments.length; i++) {
      if (arguments[i].equals("-D") && arguments[i + 1].equals(folder.toString())) {
        return true;
      }
    }
    // The folder may have been moved while the process was running.
    return worksHere(pid);
  }

  private boolean worksHere(long pid) {
    try {
      return Files.isSameFile(PROC.resolve(pid + "/cwd"), folder);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean ends(long pid, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (isAlive(pid)) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  // A zombie process has no command line.
  private static boolean isAlive(long pid) {
    return !commandLine(pid).isEmpty();
  }

  private static String commandLine(long pid) {
    try {
      return new String(Files.readAllBytes(PROC.resolve(pid + "/cmdline")), UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  private static Optional<String> firstLine(Path file) throws IOException {
    return Files.exists(file)
        ? Files.readString(file, UTF_8).lines().findFirst()
        : Optional.empty();
  }

  // Java can only send SIGTERM, which makes PostgreSQL wait for all its clients.
  private static void signal(long pid, String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -s \"$1\" \"$2\"", "kill", name, Long.toString(pid))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(5, TimeUnit.SECONDS);
    } catch (IOException e) {
      LOG.warn("The signal {} could not be sent to process {}.", name, pid, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
