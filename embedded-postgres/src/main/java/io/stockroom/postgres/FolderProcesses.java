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
 * The PostgreSQL processes that work in one database folder, seen through {@code /proc}. They may
 * be left from a server that was killed. Only for the holder of the data folder, who knows that
 * nobody else has started them.
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

  /** Stops what an earlier server left running, and removes what would keep a new one from it. */
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
        // The number has gone to another program since, or to one that was killed and is not
        // collected yet. PostgreSQL would take that for itself.
        LOG.info("Removing {}, whose process {} is not PostgreSQL here.", pidFile, pid);
        Files.deleteIfExists(pidFile);
      }
    }
    killChildren();
  }

  /** Ends a postmaster: fast, which loses nothing, then ever harder. */
  static void stop(long pid) {
    signal(pid, "INT");
    if (ends(pid, FAST)) {
      return;
    }
    LOG.warn("PostgreSQL (process {}) does not stop; ending it at once.", pid);
    signal(pid, "QUIT");
    if (!ends(pid, IMMEDIATE)) {
      signal(pid, "KILL");
      ends(pid, IMMEDIATE);
    }
  }

  /**
   * Ends the children of a postmaster that has died. Each notices by itself, but one amid a long
   * statement only after it, and until then no new postmaster may use the folder.
   */
  void killChildren() {
    killAll(this::isPostgresHere);
  }

  /** Ends an initdb that fills this folder for a server that was killed, and its helpers. */
  void killInitdb() {
    killAll(pid -> isInitdbHere(pid) || isPostgresHere(pid));
  }

  // One that was found may have started another while we looked.
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

  // A child of the postmaster has its task for a title, soon after its start.
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
    // The folder may have been moved while the process ran.
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

  // A process that has ended but was not collected by its parent has no command line any more.
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

  // Java can only send the signal that asks PostgreSQL to wait for all its clients.
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
