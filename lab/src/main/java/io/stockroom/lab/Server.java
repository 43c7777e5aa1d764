package io.stockroom.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The built program as a process, started like an operator does: {@code ./stockroom serve}. Rate
 * limits and quotas are lifted, so that they are not what is measured.
 */
public final class Server {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "drain-time", "PT2S",
          "webhooks.allow-private", "true",
          "limits.create-interval", "PT0S",
          "limits.adjust-per-second", "0",
          "limits.detail-per-day", "2000000000",
          "limits.store-products", "2000000000",
          "limits.publish-minimum", "2000000000");

  private final Laboratory laboratory;
  private final Path data;
  private final int port;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final Path log;
  private @Nullable Process process;

  private Server(Laboratory laboratory, Path data) {
    this.laboratory = laboratory;
    this.data = data;
    this.log = laboratory.folder().resolve(data.getFileName() + ".log");
    this.port = laboratory.newPort();
  }

  /** On a data folder with its own keys and its embedded PostgreSQL. */
  public static Server on(Laboratory laboratory, Path data) {
    return new Server(laboratory, data);
  }

  /** With its embedded PostgreSQL, on a copy of the template, which starts fast. */
  public static Server embedded(Laboratory laboratory, Path data) {
    laboratory.processes().run("cp", "-a", laboratory.cluster().place() + "/.", data.toString());
    return new Server(laboratory, data).withKeys();
  }

  /** On an external database; {@code url} in pgjdbc's form. */
  public static Server outside(Laboratory laboratory, String url) {
    Cluster cluster = laboratory.cluster();
    return outside(laboratory, new DirectSql(url, cluster.user(), cluster.password()));
  }

  public static Server outside(Laboratory laboratory, DirectSql database) {
    return new Server(laboratory, laboratory.newFolder("node"))
        .withKeys()
        .variable("STOCKROOM_DATABASE_URL", database.url())
        .variable("STOCKROOM_DATABASE_USER", database.user())
        .variable("STOCKROOM_DATABASE_PASSWORD", database.password());
  }

  /** Several nodes on one external database, ready. */
  public static List<Server> nodes(Laboratory laboratory, int count, String url) {
    List<Server> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(outside(laboratory, url));
    }
    CompletableFuture<?>[] starts =
        nodes.stream()
            // not virtual ones, whose few carriers would all wait for the output of nodes
            .map(node -> CompletableFuture.runAsync(node::start, Thread.ofPlatform()::start))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(starts).join();
    return nodes;
  }

  private Server withKeys() {
    return variable("STOCKROOM_OPERATOR_KEY", laboratory.operatorKey())
        .variable("STOCKROOM_SECRET_KEY", laboratory.secretKey());
  }

  public Server variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Returns when the server is ready. */
  public Server start() {
    List<String> command = new ArrayList<>();
    command.add(Laboratory.home().resolve("stockroom").toString());
    command.addAll(List.of("serve", "--json", "--port", Integer.toString(port)));
    command.addAll(List.of("--data", data.toString()));
    SETTINGS.forEach((name, value) -> command.addAll(List.of("--set", name + "=" + value)));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    Process started = laboratory.processes().start(builder);
    process = started;
    BufferedReader output = started.inputReader(UTF_8);
    try {
      if (output.readLine() == null || health("live").status() != 200) {
        throw new IllegalStateException(
            "a server did not start, see %s:%n%s".formatted(log, Files.readString(log)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** The port of the interface; the next one is that of the admin API. */
  public int port() {
    return port;
  }

  public Operator operator() {
    try {
      Path key = data.resolve("operator.key");
      String ours = laboratory.operatorKey();
      boolean hasOurs = environment.containsKey("STOCKROOM_OPERATOR_KEY");
      return new Operator(url(), hasOurs ? ours : Files.readString(key).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Answer health(String what) {
    return HttpCalls.get("http://127.0.0.1:%d/health/%s".formatted(port + 1, what));
  }

  private Process running() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("the server was never started");
    }
    return running;
  }

  public long pid() {
    return running().pid();
  }

  public void kill() {
    running().destroyForcibly();
    Processes.awaitEnd(running().toHandle());
  }

  /** Suspends the server; connections stay open, nothing responds. */
  public void freeze() {
    laboratory.processes().signal("STOP", List.of(running().toHandle()));
  }

  public void thaw() {
    laboratory.processes().signal("CONT", List.of(running().toHandle()));
  }

  /** Kills the server and its PostgreSQL at the same time. */
  public void killWithDatabase() {
    Processes.kill(running().toHandle());
  }

  public ProcessHandle postmaster() {
    return ProcessHandle.of(Long.parseLong(postmasterLine(0)))
        .orElseThrow(() -> new IllegalStateException("PostgreSQL is not running"));
  }

  private String postmasterLine(int number) {
    try {
      return Files.readAllLines(data.resolve("postgres/postmaster.pid")).get(number).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void stop() {
    running().destroy();
    Processes.awaitEnd(running().toHandle());
  }

  public Path postgresLog() {
    return data.resolve("postgres.log");
  }

  public DirectSql sql() {
    try {
      String password = Files.readString(data.resolve("postgres.password")).strip();
      return DirectSql.local(Integer.parseInt(postmasterLine(3)), "stockroom", password);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
