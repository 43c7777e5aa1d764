package io.stockroom.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL outside of any server, which an experiment starts, kills, stops and stalls. */
public final class Postgres {
  private static final Duration MAX_START = Duration.ofSeconds(60);
  private static final List<String> SETTINGS =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "max_connections=150",
          "shared_buffers=64MB",
          "timezone=UTC",
          "logging_collector=off",
          // merchants move between databases by logical replication
          "wal_level=logical");

  private final Laboratory laboratory;
  private final Path folder;
  private final int port;
  private final List<String> settings;
  private final DirectSql sql;
  private @Nullable Process process;

  private Postgres(Laboratory laboratory, Path folder, int port, List<String> settings) {
    this.laboratory = laboratory;
    this.folder = folder;
    this.port = port;
    this.settings = settings;
    Cluster cluster = laboratory.cluster();
    this.sql = DirectSql.local(port, cluster.user(), cluster.password());
  }

  /** Starts on a copy of the template; {@code settings} such as {@code fsync=on} come last. */
  public static Postgres start(Laboratory laboratory, String name, String... settings) {
    Path folder = laboratory.newFolder(name);
    laboratory.processes().run("cp", "-a", laboratory.cluster().folder() + "/.", folder.toString());
    return new Postgres(laboratory, folder, laboratory.newPort(), List.of(settings)).start();
  }

  /** Returns when it accepts connections. */
  public Postgres start() {
    List<String> command = new ArrayList<>();
    command.add("setsid");
    if (Laboratory.isRoot()) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.addAll(List.of(laboratory.cluster().program().toString(), "-D", folder.toString()));
    command.addAll(List.of("-c", "port=" + port));
    SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    Path log = folder.resolveSibling(folder.getFileName() + ".log");
    Process started = laboratory.processes().start(command, Map.of("LC_ALL", "C"), log);
    process = started;
    Await.until(
        MAX_START,
        "PostgreSQL, see " + log,
        () -> {
          if (!started.isAlive()) {
            throw new IllegalStateException("PostgreSQL ended immediately, see " + log);
          }
          return isReady(folder) && sql.answers();
        });
    return this;
  }

  /** Its own note is cheaper to look at than a login. */
  private static boolean isReady(Path folder) {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("postmaster.pid"));
      return lines.size() > 7 && lines.get(7).strip().equals("ready");
    } catch (IOException notYet) {
      return false;
    }
  }

  public DirectSql sql() {
    return sql;
  }

  public int port() {
    return port;
  }

  /** Adds it to a directory as a cell. */
  public void addAsCell(String name, Operator operator) {
    // the template has the tables of a directory
    sql.execute("drop schema public cascade", "create schema public");
    String body =
        "{\"name\":\"%s\",\"databaseUrl\":\"%s\",\"databaseUser\":\"%s\",\"databasePassword\":\"%s\"}"
            .formatted(name, sql.url(), sql.user(), sql.password());
    var _ = operator.ask("/admin/cells", body);
  }

  private ProcessHandle handle() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("PostgreSQL was never started");
    }
    return running.toHandle();
  }

  public void kill() {
    Processes.kill(handle());
  }

  /** Kills one process that serves a server; PostgreSQL then restarts all of them. */
  public void killBackend() throws SQLException {
    try (Connection connection = sql.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select pid from pg_stat_activity
                where application_name = 'stockroom' order by state = 'active' desc, pid limit 1
                """)) {
      if (row.next()) {
        ProcessHandle.of(row.getLong(1)).ifPresent(ProcessHandle::destroyForcibly);
        // a success before all other connections end would be mistaken for the recovery
        Await.until(MAX_START, "PostgreSQL to end all connections", () -> isCut(connection));
      }
    }
  }

  private static boolean isCut(Connection connection) {
    try {
      return !connection.isValid(1);
    } catch (SQLException e) {
      return true;
    }
  }

  /** Stops it like an operator would. */
  public void stop() {
    laboratory.processes().signal("INT", List.of(handle()));
    Processes.awaitEnd(handle());
  }

  /** Freezes all its processes: connections stay open, nothing responds. */
  public void freeze() {
    laboratory.processes().signal("STOP", Processes.family(handle()));
  }

  public void thaw() {
    laboratory.processes().signal("CONT", Processes.family(handle()));
  }
}
