package io.stockroom.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A server in a second JVM, until its input ends or it is killed. */
final class ServerOwner implements AutoCloseable {
  private static final Map<String, String> SETTINGS =
      Map.of("port", "0", "limits.create-interval", "PT0S", "database.pool-size", "4");

  private final Process process;
  private final TestServer server;

  private ServerOwner(Process process, TestServer server) {
    this.process = process;
    this.server = server;
  }

  /** Arguments: the folder, and the address, user and password of an external database, if any. */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> settings = new HashMap<>(SETTINGS);
    if (arguments.length > 1) {
      settings.put("database.url", arguments[1]);
      settings.put("database.user", arguments[2]);
      settings.put("database.password", arguments[3]);
    }
    try (Stockroom stockroom = Stockroom.start(Path.of(arguments[0]), Settings.with(settings));
        InputStreamReader in = new InputStreamReader(System.in, UTF_8)) {
      System.out.printf(
          "started %d %d %s%n", stockroom.port(), stockroom.adminPort(), stockroom.operatorKey());
      int _ = in.read();
    }
  }

  /** A server on an external database, with the given heap size. */
  static ServerOwner start(Path folder, DatabaseAddress database, String heap) throws IOException {
    return start(heap, folder.toString(), database.jdbcUrl(), database.user(), database.password());
  }

  private static ServerOwner start(String heap, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ServerOwner.class.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader output = process.inputReader(UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("started ")) {
        String[] words = line.split(" ", -1);
        TestServer server =
            TestServer.elsewhere(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3]);
        return new ServerOwner(process, server);
      }
    }
    throw new IOException("the second JVM ended before its server was up");
  }

  TestServer server() {
    return server;
  }

  /** Kills the server without a clean shutdown. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
