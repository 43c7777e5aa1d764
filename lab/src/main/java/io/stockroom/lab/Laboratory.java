package io.stockroom.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The resources of a harness: folders, ports, processes, keys, random numbers. */
public final class Laboratory implements AutoCloseable {
  private static final int FIRST_PORT = 15_000;
  private static final int LAST_PORT = 31_999;

  private final Path folder;
  private final boolean brief;
  private final Processes processes = new Processes();
  private final Set<Integer> ports = new HashSet<>();
  private final String operatorKey = newKey();
  private final String secretKey = newKey();
  private final SecureRandom portChance = new SecureRandom();
  private final Deque<Runnable> closing = new ConcurrentLinkedDeque<>();
  private Random random = new Random(0);
  private @Nullable Cluster cluster;
  private int folders;

  /** A laboratory in a temporary folder; it ends with the program at the latest. */
  public Laboratory(boolean brief) {
    this.brief = brief;
    try {
      this.folder = Files.createTempDirectory("stockroom-lab-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end-processes"));
  }

  public static Path home() {
    return Path.of(System.getProperty("stockroom.home", ".")).toAbsolutePath().normalize();
  }

  /** Each experiment has its own random numbers, so that it can be repeated alone. */
  public void seed(long seed) {
    random = new Random(seed);
  }

  public Random random() {
    return random;
  }

  /** Whether this is a run in the smallest form. */
  public boolean brief() {
    return brief;
  }

  public Path folder() {
    return folder;
  }

  public Processes processes() {
    return processes;
  }

  public String operatorKey() {
    return operatorKey;
  }

  public String secretKey() {
    return secretKey;
  }

  public synchronized Path newFolder(String name) {
    try {
      return Files.createDirectories(folder.resolve("%02d-%s".formatted(++folders, name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Two consecutive free ports; the second is for the admin API. Below the ephemeral ports, because
   * restarted servers use the same port again.
   */
  public synchronized int newPort() {
    while (true) {
      int port = portChance.nextInt(FIRST_PORT, LAST_PORT);
      if (!ports.contains(port) && isFree(port) && isFree(port + 1) && ports.add(port)) {
        ports.add(port + 1);
        return port;
      }
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
  public synchronized Cluster cluster() {
    if (cluster == null) {
      cluster = Cluster.make(newFolder("template"));
    }
    return cluster;
  }

  public void say(String line) {
    System.err.println(line);
  }

  /** Whether this program may mount disks and change networks. */
  public static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException e) {
      return false;
    }
  }

  public static boolean has(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":")).anyMatch(each -> Files.isExecutable(Path.of(each, program)));
  }

  private static String newKey() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Runs {@code last} after all processes have ended. */
  public void onClose(Runnable last) {
    closing.push(last);
  }

  /** Ends all processes, including a PostgreSQL that a killed server has left behind. */
  @Override
  public synchronized void close() {
    processes.close();
    try (Stream<Path> files = Files.walk(folder, 4)) {
      files.filter(file -> file.endsWith("postmaster.pid")).forEach(Laboratory::killOrphan);
    } catch (IOException | UncheckedIOException gone) {
      // the folder was deleted, or its databases are ending
    }
    for (Runnable last = closing.poll(); last != null; last = closing.poll()) {
      last.run();
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
  public void delete() {
    close();
    var _ = processes.run("rm", "-rf", folder.toString());
  }
}
