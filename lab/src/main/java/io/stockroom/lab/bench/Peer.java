package io.stockroom.lab.bench;

import io.stockroom.core.database.Sql;
import io.stockroom.lab.bench.Marketplace.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The four calls in plain Spring Boot with JPA ({@code lab/peers/spring-jpa}), on the PostgreSQL of
 * the server under test and with the same JVM options. It has its own tables, with the same rows.
 */
final class Peer implements AutoCloseable {
  static final String NAME = "Spring Boot + JPA";

  private static final Duration MAX_START = Duration.ofMinutes(2);

  /** It chooses its port itself, because another program may take one that is free now. */
  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

  private static final Sql ADD_APPLICATIONS =
      Sql.of(
          """
          insert into peer.application (id, appid, secret)
          select distinct a.application_id, a.appid, k.secret
          from unnest(:appids::text[], :secrets::text[]) k (appid, secret)
          join public.application a on a.appid = k.appid
          """);

  private final Tools tools;
  private final Process process;
  private final int port;

  private Peer(Tools tools, Process process, int port) {
    this.tools = tools;
    this.process = process;
    this.port = port;
  }

  /** Copies the rows of the server as they are now, and starts the peer. */
  static Peer start(
      Tools tools, Path root, Path folder, ServerUnderTest server, List<Account> accounts)
      throws IOException, InterruptedException, SQLException {
    Path home = root.resolve("lab/peers/spring-jpa");
    fill(server, home, accounts);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "@" + root.resolve("packaging/server.options"),
                "-Xmx1g"));
    String options = System.getenv().getOrDefault("STOCKROOM_JAVA_OPTIONS", "").strip();
    command.addAll(options.isEmpty() ? List.of() : List.of(options.split(" +")));
    command.addAll(
        List.of(
            "-jar",
            home.resolve("target/spring-jpa.jar").toString(),
            "--server.port=0",
            "--interface.timestamp-window=" + Requests.WINDOW,
            "--interface.create-interval=PT0S",
            "--interface.detail-per-day=2000000000",
            "--interface.store-products=2000000000"));
    Path log = folder.resolve("peer.log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "MALLOC_ARENA_MAX",
                "1",
                "SPRING_DATASOURCE_URL",
                "jdbc:postgresql://127.0.0.1:"
                    + server.postgresPort()
                    + "/stockroom?currentSchema=peer",
                "SPRING_DATASOURCE_USERNAME",
                "stockroom",
                "SPRING_DATASOURCE_PASSWORD",
                server.postgresPassword()));
    Process process = tools.start(builder);
    long deadline = System.nanoTime() + MAX_START.toNanos();
    Matcher started = STARTED.matcher(Files.readString(log));
    while (!started.find()) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        tools.stop(process);
        throw new BenchException("The peer did not start. Its output:\n" + Files.readString(log));
      }
      Thread.sleep(Duration.ofMillis(50));
      started = STARTED.matcher(Files.readString(log));
    }
    return new Peer(tools, process, Integer.parseInt(started.group(1)));
  }

  private static void fill(ServerUnderTest server, Path home, List<Account> accounts)
      throws IOException, SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(home.resolve("schema.sql")));
      ADD_APPLICATIONS
          .on(connection)
          .set("appids", accounts.stream().map(Account::appid).toArray(String[]::new))
          .set("secrets", accounts.stream().map(Account::secret).toArray(String[]::new))
          .update();
      statement.execute(Files.readString(home.resolve("fill.sql")));
      statement.execute("vacuum analyze");
    }
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    tools.stop(process);
  }
}
