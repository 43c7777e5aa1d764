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

/**
 * The four calls in plain Spring Boot with JPA ({@code lab/peers/spring-jpa}), on the PostgreSQL of
 * the server under test and with the same JVM options. It has its own tables, with the same rows.
 */
final class Peer implements AutoCloseable {
  static final String NAME = "Spring Boot + JPA";

  private static final Duration MAX_START = Duration.ofMinutes(2);

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
    int port = ServerUnderTest.freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseCompactObjectHeaders",
                "@" + root.resolve("packaging/server.options")));
    String options = System.getenv().getOrDefault("STOCKROOM_JAVA_OPTIONS", "").strip();
    command.addAll(options.isEmpty() ? List.of() : List.of(options.split(" +")));
    command.addAll(
        List.of(
            "-jar",
            home.resolve("target/spring-jpa.jar").toString(),
            "--server.port=" + port,
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
                "SPRING_DATASOURCE_URL",
                "jdbc:postgresql://127.0.0.1:"
                    + server.postgresPort()
                    + "/stockroom?currentSchema=peer",
                "SPRING_DATASOURCE_USERNAME",
                "stockroom",
                "SPRING_DATASOURCE_PASSWORD",
                server.postgresPassword()));
    Peer peer = new Peer(tools, tools.start(builder), port);
    long deadline = System.nanoTime() + MAX_START.toNanos();
    while (!peer.isReady()) {
      if (!peer.process.isAlive() || System.nanoTime() - deadline > 0) {
        peer.close();
        throw new BenchException("The peer did not start. Its output:\n" + Files.readString(log));
      }
      Thread.sleep(Duration.ofMillis(50));
    }
    return peer;
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

  /** Its port is open from the moment at which it can answer. */
  private boolean isReady() {
    try {
      new HttpConnection(port).close();
      return true;
    } catch (IOException notYet) {
      return false;
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
