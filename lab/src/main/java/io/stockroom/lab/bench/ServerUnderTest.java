package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The server, started by the launcher like an operator does. Lifts the rate limits, which would
 * otherwise be measured, and widens the timestamp window, so that creates can be signed in advance.
 */
final class ServerUnderTest implements AutoCloseable {
  private static final Duration MAX_START = Duration.ofMinutes(3);
  private static final int FIRST_PORT = 20_000;
  private static final int LAST_PORT = 30_000;
  private static final List<String> SETTINGS =
      List.of(
          "limits.create-interval=PT0S",
          "limits.adjust-per-second=0",
          "webhooks.allow-private=true",
          "limits.detail-per-day=2000000000",
          "limits.store-products=2000000000",
          "timestamp-window=" + Requests.WINDOW);

  private final Tools tools;
  private final BenchFolder folder;
  private final Path data;
  private final ProcessHandle process;
  private final @Nullable Process started;
  private final int port;
  private final boolean leave;
  private final HttpClient http = HttpClient.newHttpClient();

  private ServerUnderTest(
      Tools tools,
      BenchFolder folder,
      ProcessHandle process,
      @Nullable Process started,
      int port,
      boolean leave) {
    this.tools = tools;
    this.folder = folder;
    this.data = folder.data();
    this.process = process;
    this.started = started;
    this.port = port;
    this.leave = leave;
  }

  /**
   * Starts a server, or takes the one that an earlier program has left.
   *
   * @param before a program that runs the server, such as {@code taskset -c 0}
   * @param leave whether it runs on after {@link #close}
   */
  static ServerUnderTest start(
      Tools tools, Path stockroom, BenchFolder folder, List<String> before, boolean leave)
      throws IOException, InterruptedException {
    if (before.isEmpty() && Files.exists(folder.running())) {
      List<String> left = List.of(Files.readString(folder.running()).strip().split(" "));
      Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(left.getFirst()));
      if (process.isPresent()) {
        ServerUnderTest server =
            new ServerUnderTest(
                tools, folder, process.get(), null, Integer.parseInt(left.getLast()), leave);
        if (server.isReady()) {
          return server;
        }
      }
    }
    endLeft(folder);
    int port = freePort();
    Path data = folder.data();
    Path log = folder.log();
    List<String> command = new ArrayList<>(before);
    command.addAll(
        List.of(stockroom.toString(), "serve", "--port", "" + port, "--data", data.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    SETTINGS.forEach(setting -> builder.command().addAll(List.of("--set", setting)));
    Process process = tools.start(builder);
    ServerUnderTest server =
        new ServerUnderTest(tools, folder, process.toHandle(), process, port, leave);
    long deadline = System.nanoTime() + MAX_START.toNanos();
    while (!server.isReady()) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        tools.stop(process);
        throw new BenchException("The server did not start. Its output:\n" + Files.readString(log));
      }
      Thread.sleep(Duration.ofMillis(50));
    }
    return server;
  }

  /** Ends a server that an earlier program has left. */
  static void endLeft(BenchFolder folder) throws IOException {
    if (!Files.exists(folder.running())) {
      return;
    }
    String pid = Files.readString(folder.running()).split(" ", 2)[0];
    ProcessHandle.of(Long.parseLong(pid))
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .ifPresent(ServerUnderTest::end);
    Files.delete(folder.running());
  }

  private static void end(ProcessHandle process) {
    process.destroy();
    var _ = process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
  }

  static List<String> settings() {
    return SETTINGS;
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  long postgresPid() throws IOException {
    return Long.parseLong(postmaster().getFirst().strip());
  }

  int postgresPort() throws IOException {
    return Integer.parseInt(postmaster().get(3).strip());
  }

  String postgresPassword() throws IOException {
    return Files.readString(data.resolve("postgres.password")).strip();
  }

  Path postgresLog() {
    return data.resolve("postgres.log");
  }

  /** A separate connection to the server's PostgreSQL. */
  Connection connect() throws IOException, SQLException {
    Properties properties = new Properties();
    properties.put("user", "stockroom");
    properties.put("password", postgresPassword());
    properties.put("ApplicationName", "bench");
    properties.put("prepareThreshold", "1");
    properties.put("options", "-c jit=off");
    String url = "jdbc:postgresql://127.0.0.1:" + postgresPort() + "/stockroom";
    return DriverManager.getConnection(url, properties);
  }

  JsonNode admin(String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + (port + 1) + "/admin/" + path))
            .header(
                "Authorization", "Bearer " + Files.readString(data.resolve("operator.key")).strip())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString(UTF_8));
    if (response.statusCode() / 100 != 2) {
      throw new BenchException("/admin/" + path + " answered " + response.body());
    }
    return JsonMapper.shared().readTree(response.body());
  }

  @Override
  public void close() {
    http.close();
    try {
      if (leave) {
        Files.writeString(folder.running(), process.pid() + " " + port);
        if (started != null) {
          tools.release(started);
        }
        return;
      }
      Files.deleteIfExists(folder.running());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (started == null) {
      end(process);
    } else {
      tools.stop(started);
    }
  }

  private boolean isReady() throws IOException, InterruptedException {
    URI health = URI.create("http://127.0.0.1:" + (port + 1) + "/health/ready");
    try {
      return http.send(HttpRequest.newBuilder(health).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private List<String> postmaster() throws IOException {
    return Files.readAllLines(data.resolve("postgres/postmaster.pid"));
  }

  /**
   * Finds two consecutive free ports; the second is for the admin API, health and metrics. Avoids
   * ephemeral ports, because many connections are opened while the server starts.
   */
  static int freePort() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
      if (isFree(port) && isFree(port + 1)) {
        return port;
      }
    }
    throw new BenchException("There are no two consecutive free ports on 127.0.0.1.");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
