package io.stockroom.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.stockroom.core.database.StartException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A second JVM that holds a data folder and may run PostgreSQL in it, until its input ends or it is
 * killed.
 */
final class PostgresOwner implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private PostgresOwner(Process process) {
    this.process = process;
    this.output = process.inputReader(UTF_8);
  }

  public static void main(String[] arguments) throws IOException {
    try {
      own(arguments[0], Path.of(arguments[1]));
    } catch (StartException e) {
      System.out.println("refused " + e.getMessage());
    }
  }

  private static void own(String task, Path folder) throws IOException {
    try (DataFolder data = DataFolder.open(folder)) {
      data.hold();
      if (task.equals("hold")) {
        announceAndWait("holding");
        return;
      }
      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
        announceAndWait("started " + postgres.pid());
      }
    }
  }

  private static void announceAndWait(String line) throws IOException {
    System.out.println(line);
    try (InputStreamReader in = new InputStreamReader(System.in, UTF_8)) {
      int _ = in.read();
    }
  }

  static PostgresOwner spawn(String task, Path folder) throws IOException {
    return spawn(List.of(), Map.of(), System.getProperty("java.class.path"), task, folder);
  }

  /** Spawns it as another user, with a home and a class path of its own below {@code readable}. */
  static PostgresOwner spawnAs(int user, Path readable, String task, Path folder)
      throws IOException {
    assumeTrue(CurrentUser.isRoot(), "only root can become another user");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is missing");
    Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path home = Files.createDirectories(readable.resolve("home"));
    Files.setAttribute(home, "unix:uid", user);
    return spawn(
        List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"),
        Map.of("HOME", home.toString(), "XDG_CACHE_HOME", home.resolve("cache").toString()),
        linkClassPath(Files.createDirectory(readable.resolve("classes"))),
        task,
        folder);
  }

  // Another user cannot read the folders of the build.
  private static String linkClassPath(Path copies) throws IOException {
    List<String> entries = new ArrayList<>();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (!Files.exists(Path.of(entry))) {
        continue;
      }
      Path copy = copies.resolve(entries.size() + "-" + Path.of(entry).getFileName());
      linkTree(Path.of(entry), copy);
      entries.add(copy.toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path path : tree.toList()) {
        Files.copy(
            path, to.resolve(from.relativize(path).toString()), COPY_ATTRIBUTES, NOFOLLOW_LINKS);
      }
    }
  }

  /** As a copy that nobody writes to, and much faster where both are on the same disk. */
  static void linkTree(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path path : tree.toList()) {
        link(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  private static void link(Path file, Path link) throws IOException {
    if (Files.isRegularFile(file, NOFOLLOW_LINKS)) {
      try {
        Files.createLink(link, file);
        return;
      } catch (FileSystemException e) {
        // on another disk, for example
      }
    }
    Files.copy(file, link, COPY_ATTRIBUTES, NOFOLLOW_LINKS);
  }

  private static PostgresOwner spawn(
      List<String> prefix,
      Map<String, String> environment,
      String classPath,
      String task,
      Path folder)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            classPath,
            PostgresOwner.class.getName(),
            task,
            folder.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.getRoot().toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return new PostgresOwner(builder.start());
  }

  long pid() {
    return process.pid();
  }

  /** Waits for the line that starts with {@code word} and returns the rest of it. */
  String await(String word) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(word)) {
        return line.substring(word.length()).strip();
      }
    }
    throw new IOException("the second JVM ended without saying " + word);
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Lets the second JVM end by itself. */
  int finish() throws IOException, InterruptedException {
    process.outputWriter(UTF_8).close();
    return process.waitFor(30, TimeUnit.SECONDS) ? process.exitValue() : -1;
  }

  @Override
  public void close() {
    kill();
  }
}
