package io.stockroom.lab.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL outside of any server, which an experiment starts, kills, stops and stalls. */
final class Postgres {
  private static final Duration MAX_START = Duration.ofSeconds(60);
  private static final int STATUS_LINE = 7;
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
  private final Cluster cluster;
  private final Path folder;
  private final Path log;
  private final int port;
  private final List<String> settings;
  private @Nullable Process process;

  private Postgres(Laboratory laboratory, Path folder, int port, List<String> settings) {
    this.laboratory = laboratory;
    this.cluster = laboratory.cluster();
    this.folder = folder;
    this.log = folder.resolveSibling(folder.getFileName() + ".log");
    this.port = port;
    this.settings = settings;
  }

  /**
   * Starts on a copy of the template, or takes one that an earlier experiment has left; {@code
   * settings} such as {@code fsync=on} come last.
   */
  static Postgres start(Laboratory laboratory, String name, String... settings) {
    List<String> wanted = List.of(settings);
    return laboratory
        .spares()
        .database(spare -> spare.settings.equals(wanted))
        .orElseGet(() -> startNew(laboratory, name, settings));
  }

  /** Starts on a copy of the template. */
  static Postgres startNew(Laboratory laboratory, String name, String... settings) {
    Path folder = laboratory.newFolder(name);
    laboratory.processes().run("cp", "-a", laboratory.cluster().folder() + "/.", folder.toString());
    Postgres postgres = new Postgres(laboratory, folder, laboratory.newPort(), List.of(settings));
    postgres.start();
    return postgres;
  }

  /** A standby that streams from this database; not yet started. */
  Postgres standby(String name, int itsPort) throws SQLException {
    Path copy = laboratory.newFolder(name);
    String source =
        "primary_conninfo=host=127.0.0.1 port=%d user=%s password=%s application_name=standby"
            .formatted(port, cluster.user(), cluster.password());
    Postgres standby = new Postgres(laboratory, copy, itsPort, List.of(source));
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_backup_start('standby', true)");
      // files may change and vanish during the copy: the streamed WAL repairs that
      Process copying =
          laboratory
              .processes()
              .start(
                  new ProcessBuilder("cp", "-a", folder + "/.", copy.toString())
                      .redirectErrorStream(true)
                      .redirectOutput(copy.resolveSibling(name + "-copy.log").toFile()));
      Processes.awaitEnd(copying.toHandle());
      try (ResultSet row = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
        row.next();
        Files.writeString(copy.resolve("backup_label"), row.getString(1));
      }
      Files.deleteIfExists(copy.resolve("postmaster.pid"));
      Files.writeString(copy.resolve("postgresql.auto.conf"), "");
      Files.writeString(copy.resolve("standby.signal"), "");
      return standby;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns when it accepts connections. */
  void start() {
    List<String> command = new ArrayList<>();
    command.add("setsid");
    if (Laboratory.isRoot()) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.addAll(List.of(cluster.program().toString(), "-D", folder.toString()));
    command.addAll(List.of("-c", "port=" + port));
    SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("LC_ALL", "C");
    Process started = laboratory.processes().start(builder);
    process = started;
    Await.until(
        MAX_START,
        "PostgreSQL, see " + log,
        () -> {
          if (!started.isAlive()) {
            throw new IllegalStateException("PostgreSQL ended immediately, see " + log);
          }
          return saysReady() && answers();
        });
  }

  /** Its own note is cheaper to look at than a login. */
  private boolean saysReady() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("postmaster.pid"));
      // a standby, too, is ready when it answers
      return lines.size() > STATUS_LINE
          && (lines.get(STATUS_LINE).strip().equals("ready")
              || lines.get(STATUS_LINE).strip().equals("standby"));
    } catch (IOException notYet) {
      return false;
    }
  }

  private boolean answers() {
    try (Connection connection = connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  int port() {
    return port;
  }

  /** The JDBC URL. */
  String url() {
    return url("127.0.0.1:" + port);
  }

  /** Adds it to a directory as a cell, unless an earlier experiment did. */
  void addAsCell(String name, Postgres directory, Operator operator) throws SQLException {
    String known = "select count(*) from cell where name = '%s'".formatted(name);
    if (directory.text(known).equals("0")) {
      // the template has the tables of a directory
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        statement.execute("drop schema public cascade");
        statement.execute("create schema public");
      }
      var _ =
          operator.ask(
              "/admin/cells",
              "{\"name\":\"%s\",\"databaseUrl\":\"%s\",\"databaseUser\":\"%s\",\"databasePassword\":\"%s\"}"
                  .formatted(name, url(), user(), password()));
    }
  }

  String user() {
    return cluster.user();
  }

  String password() {
    return cluster.password();
  }

  private ProcessHandle handle() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("PostgreSQL was never started");
    }
    return running.toHandle();
  }

  /** Kills all its processes at once. */
  void kill(Runnable over) {
    Processes.kill(handle(), over);
  }

  /** Kills one process that serves a server; PostgreSQL then restarts all of them. */
  void killBackend(Runnable over) throws SQLException {
    try (Connection connection = connect();
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
        over.run();
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
  void stop() {
    laboratory.processes().signal("INT", List.of(handle()));
    Processes.awaitEnd(handle());
  }

  /** Stops it; a short run leaves it to the next experiment. */
  void leave() {
    if (laboratory.brief()) {
      laboratory.spares().leave(this);
    } else {
      stop();
    }
  }

  /** Freezes all its processes: connections stay open, nothing responds. */
  void freeze() {
    laboratory.processes().signal("STOP", Processes.family(handle()));
  }

  void thaw() {
    laboratory.processes().signal("CONT", Processes.family(handle()));
  }

  Connection connect() throws SQLException {
    return connect(port, cluster);
  }

  static Connection connect(int port, Cluster cluster) throws SQLException {
    return connect(port, cluster.user(), cluster.password());
  }

  static Connection connect(int port, String user, String password) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("connectTimeout", "2");
    properties.setProperty("loginTimeout", "5");
    return DriverManager.getConnection(url("127.0.0.1:" + port), properties);
  }

  /** The JDBC URL for hosts with ports, separated by commas. */
  static String url(String hosts) {
    return "jdbc:postgresql://" + hosts + "/stockroom?sslmode=disable";
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  String text(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }
}
