package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The built program as a process, started like an operator does: {@code ./stockroom serve}. */
final class Server {
  private static final String PID_FILE = "postgres/postmaster.pid";
  private static final Duration MAX_READY = Duration.ofSeconds(60);

  private final Laboratory laboratory;
  private Path data;
  private Path log;
  private int port;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();
  private boolean isOwn;
  private @Nullable Process process;

  private Server(Laboratory laboratory, Path data) {
    this.laboratory = laboratory;
    this.data = data;
    this.log = data.resolveSibling(data.getFileName() + ".log");
    this.port = laboratory.newPort();
    settings.put("timestamp-window", "PT12H");
    settings.put("drain-time", "PT1S");
    settings.put("webhooks.allow-private", "true");
    settings.put("limits.create-interval", "PT0S");
    settings.put("limits.adjust-per-second", "0");
    settings.put("limits.detail-per-day", "2000000000");
    settings.put("limits.store-products", "2000000000");
    settings.put("limits.publish-minimum", "2000000000");
    environment.put("STOCKROOM_OPERATOR_KEY", laboratory.operatorKey());
    environment.put("STOCKROOM_SECRET_KEY", laboratory.secretKey());
  }

  /** With its own embedded PostgreSQL. */
  static Server embedded(Laboratory laboratory, String name) {
    return copied(laboratory, laboratory.newFolder(name));
  }

  /** The same in a certain folder; never one that an earlier experiment has left. */
  static Server embeddedIn(Laboratory laboratory, Path data) {
    Server server = copied(laboratory, data);
    server.isOwn = true;
    return server;
  }

  /** On a copy of the template, which starts fast. */
  private static Server copied(Laboratory laboratory, Path data) {
    laboratory.processes().run("cp", "-a", laboratory.cluster().place() + "/.", data.toString());
    return new Server(laboratory, data);
  }

  /** On an external database; {@code url} in pgjdbc's form. */
  static Server outside(Laboratory laboratory, String name, String url) {
    Cluster cluster = laboratory.cluster();
    return outside(laboratory, name, url, cluster.user(), cluster.password());
  }

  static Server outside(
      Laboratory laboratory, String name, String url, String user, String password) {
    Server server = new Server(laboratory, laboratory.newFolder(name));
    server.environment.put("STOCKROOM_DATABASE_URL", url);
    server.environment.put("STOCKROOM_DATABASE_USER", user);
    server.environment.put("STOCKROOM_DATABASE_PASSWORD", password);
    return server;
  }

  Server set(String name, String value) {
    settings.put(name, value);
    return this;
  }

  /** Adds an option of its JVM to those that all servers of this run have. */
  Server javaOption(String option) {
    String common = System.getenv().getOrDefault("STOCKROOM_JAVA_OPTIONS", "");
    return variable("STOCKROOM_JAVA_OPTIONS", (common + " " + option).strip());
  }

  Server variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Writes the log into another folder instead of beside the data. */
  Server logTo(Path folder) {
    log = folder.resolve("server.log");
    return this;
  }

  /** Returns when the server is ready; it may be one that an earlier experiment has left. */
  Server start() {
    if (process == null && !isOwn) {
      Optional<Server> spare = laboratory.spares().server(this::isLike);
      if (spare.isPresent()) {
        become(spare.get());
        return this;
      }
    }
    List<String> command = new ArrayList<>(laboratory.program());
    command.addAll(List.of("serve", "--json", "--port", Integer.toString(port)));
    command.addAll(List.of("--data", data.toString()));
    settings.forEach((name, value) -> command.addAll(List.of("--set", name + "=" + value)));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    Process started = laboratory.processes().start(builder);
    process = started;
    BufferedReader output = started.inputReader(UTF_8);
    try {
      if (output.readLine() == null) {
        throw new IllegalStateException("a server did not start, see " + log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  private boolean isLike(Server other) {
    return settings.equals(other.settings) && environment.equals(other.environment);
  }

  /** The database of a spare may have been down a moment ago. */
  private void become(Server spare) {
    data = spare.data;
    log = spare.log;
    port = spare.port;
    process = spare.process;
    Await.until(MAX_READY, "a server to be ready", () -> ready().status() == 200);
  }

  /** Starts several servers at the same time; returns when all are ready. */
  static List<Server> startAll(List<Server> servers) {
    together(servers, Server::start);
    return servers;
  }

  /** Stops several servers at the same time; returns when all have ended. */
  static void stopAll(List<Server> servers) {
    together(servers, Server::stop);
  }

  /** Stops several servers; a short run leaves them to the next experiment. */
  static void leaveAll(List<Server> servers) {
    together(servers, Server::leave);
  }

  private static void together(List<Server> servers, Consumer<Server> action) {
    CompletableFuture<?>[] actions =
        servers.stream()
            .map(
                server ->
                    CompletableFuture.runAsync(
                        () -> action.accept(server), task -> Thread.ofVirtual().start(task)))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(actions).join();
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  int adminPort() {
    return port + 1;
  }

  Operator operator() {
    return new Operator(url(), laboratory.operatorKey());
  }

  Answer live() {
    return HttpCalls.get("http://127.0.0.1:%d/health/live".formatted(adminPort()));
  }

  Answer ready() {
    return HttpCalls.get("http://127.0.0.1:%d/health/ready".formatted(adminPort()));
  }

  /** The server's clock, from the Date header. */
  long secondsOfDate() {
    try {
      URLConnection connection =
          URI.create("http://127.0.0.1:%d/health/live".formatted(adminPort()))
              .toURL()
              .openConnection();
      return connection.getDate() / 1000;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process running() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("the server was never started");
    }
    return running;
  }

  /** Kills only the server; its child processes keep running. */
  void kill(Runnable over) {
    running().destroyForcibly();
    over.run();
    Processes.awaitEnd(running().toHandle());
  }

  /** Suspends the server; connections stay open, nothing responds. */
  void freeze() {
    laboratory.processes().signal("STOP", List.of(running().toHandle()));
  }

  void thaw() {
    laboratory.processes().signal("CONT", List.of(running().toHandle()));
  }

  /** Kills the server and its PostgreSQL at the same time. */
  void killWithDatabase(Runnable over) {
    Processes.kill(running().toHandle(), over);
  }

  /** Kills all processes of its PostgreSQL. */
  void killDatabase(Runnable over) {
    Processes.kill(postmaster(), over);
  }

  ProcessHandle postmaster() {
    try {
      long pid = Long.parseLong(Files.readAllLines(data.resolve(PID_FILE)).getFirst().strip());
      return ProcessHandle.of(pid)
          .orElseThrow(() -> new IllegalStateException("PostgreSQL is not running"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the server with SIGTERM and waits for its end. */
  void stop() {
    running().destroy();
    Processes.awaitEnd(running().toHandle());
  }

  /** Stops the server; a short run leaves it to the next experiment. */
  void leave() {
    if (laboratory.brief()) {
      laboratory.spares().leave(this);
    } else {
      stop();
    }
  }

  /** Ends the server and its PostgreSQL in any state. */
  void end() {
    if (process != null) {
      killWithDatabase(() -> {});
    }
  }

  /** Opens a separate connection to the embedded database. */
  Connection connect() throws SQLException {
    return connect(data);
  }

  /** Opens a connection to the embedded database of a data folder. */
  static Connection connect(Path data) throws SQLException {
    try {
      String port = Files.readAllLines(data.resolve(PID_FILE)).get(3).strip();
      String password = Files.readString(data.resolve("postgres.password")).strip();
      return Postgres.connect(Integer.parseInt(port), "stockroom", password);
    } catch (IOException e) {
      throw new SQLException("the embedded PostgreSQL is not running", "08001", e);
    }
  }
}
