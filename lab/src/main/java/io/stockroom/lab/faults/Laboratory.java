package io.stockroom.lab.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The resources of all experiments: folders, ports, processes, keys, random numbers. */
final class Laboratory implements AutoCloseable {
  private static final int FIRST_PORT = 15_000;
  private static final int LAST_PORT = 31_999;
  private static final Duration SHORT_THINK_TIME = Duration.ofMillis(50);

  private final List<String> program;
  private final Path folder;
  private final boolean brief;
  private final @Nullable Integer seconds;
  private final PrintStream progress;
  private final Processes processes = new Processes();
  private final Spares spares = new Spares();
  private final Set<Integer> ports = new HashSet<>();
  private final String operatorKey = newKey();
  private final String secretKey = newKey();
  private final SecureRandom portChance = new SecureRandom();
  private Random random = new Random(0);
  private @Nullable Cluster cluster;
  private final Deque<Runnable> closing = new ConcurrentLinkedDeque<>();
  private int folders;

  Laboratory(List<String> program, boolean brief, @Nullable Integer seconds, PrintStream progress) {
    this.program = program;
    this.brief = brief;
    this.seconds = seconds;
    this.progress = progress;
    try {
      this.folder = Files.createTempDirectory("stockroom-faults-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each experiment has its own random numbers, so that it can be repeated alone. */
  void seed(long seed) {
    random = new Random(seed);
  }

  Random random() {
    return random;
  }

  /** Whether this is a run with {@code --short}. */
  boolean brief() {
    return brief;
  }

  /** How long a client waits before its next request: a short run needs few of them. */
  Duration thinkTime() {
    return brief ? SHORT_THINK_TIME : Duration.ZERO;
  }

  /** What earlier experiments of a short run have left. */
  Spares spares() {
    return spares;
  }

  /** The command that starts a server, before its first argument. */
  List<String> program() {
    return program;
  }

  /** How long clients work in a round: the option {@code --seconds}, else a default. */
  int seconds(int byDefault) {
    return seconds == null ? byDefault : seconds;
  }

  Path folder() {
    return folder;
  }

  Processes processes() {
    return processes;
  }

  String operatorKey() {
    return operatorKey;
  }

  String secretKey() {
    return secretKey;
  }

  Path newFolder(String name) {
    try {
      return Files.createDirectories(folder.resolve("%02d-%s".formatted(++folders, name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Below the ephemeral ports, because restarted servers use the same port again. */
  int newPort() {
    while (true) {
      int port = portChance.nextInt(FIRST_PORT, LAST_PORT + 1);
      if (ports.contains(port) || ports.contains(port + 1) || !isFree(port) || !isFree(port + 1)) {
        continue;
      }
      ports.add(port);
      ports.add(port + 1);
      return port;
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** A stopped database, as a template for copies. */
  synchronized Cluster cluster() {
    if (cluster == null) {
      try {
        cluster = Cluster.make(newFolder("template"));
      } catch (SQLException e) {
        throw new IllegalStateException("cannot create the template database", e);
      }
    }
    return cluster;
  }

  void say(String line) {
    progress.println(line);
  }

  static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a program is installed; runs it to get its version. */
  static boolean has(String... command) {
    try {
      Process process =
          new ProcessBuilder(List.of(command))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String newKey() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Ends all processes, including a PostgreSQL that a killed server has left behind. */
  @Override
  public void close() {
    processes.close();
    endOrphans();
    for (Runnable last = closing.poll(); last != null; last = closing.poll()) {
      last.run();
    }
  }

  /** Runs {@code last} after all processes have ended. */
  void onClose(Runnable last) {
    closing.push(last);
  }

  private void endOrphans() {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder, 4)) {
      files
          .filter(file -> file.getFileName().toString().equals("postmaster.pid"))
          .forEach(Laboratory::killOrphan);
    } catch (IOException | UncheckedIOException e) {
      say("Could not search all folders for a running PostgreSQL: " + e.getMessage());
    }
  }

  private static void killOrphan(Path pidFile) {
    try {
      long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
      ProcessHandle.of(pid)
          .filter(process -> process.info().command().orElse("").endsWith("/postgres"))
          .ifPresent(Processes::kill);
    } catch (IOException | NumberFormatException gone) {
      // it ended by itself
    }
  }

  /** Deletes everything; only for a run without findings, whose journals are not needed. */
  void delete() {
    processes.run("rm", "-rf", folder.toString());
  }
}
