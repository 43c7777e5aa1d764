package io.stockroom.postgres;

import static io.stockroom.postgres.PostgresFolder.await;
import static io.stockroom.postgres.PostgresFolder.connect;
import static io.stockroom.postgres.PostgresFolder.execute;
import static io.stockroom.postgres.PostgresFolder.query;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crashes of PostgreSQL, or of the server that started it. */
class PostgresDeathTest {
  @TempDir Path path;

  @AfterEach
  void leaveNoProcess() throws IOException {
    new PostgresFolder(path).clear();
  }

  @Test
  void restartsAtTheSameAddressAfterACrash() throws Exception {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    try (DataFolder data = folder.held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      String url = postgres.jdbcUrl();
      long pid = postgres.pid();
      Thread busy = Thread.ofVirtual().start(() -> runWithoutEnd(postgres));
      await(
          () ->
              query(postgres, "select count(*) from pg_stat_activity where query like 'do%'")
                  .equals("1"));

      kill(pid);

      await(() -> postgres.pid() != pid && postgres.isRunning());
      assertThat(postgres.jdbcUrl()).isEqualTo(url);
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
      assertThat(folder.postmasters()).containsExactly(postgres.pid());
      assertThat(busy.join(Duration.ofSeconds(10))).isTrue();
    }
    assertThat(folder.processes()).isEmpty();
  }

  @Test
  void restartsWhenOneOfItsProcessesIsKilled() throws Exception {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    try (DataFolder data = folder.held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      long pid = postgres.pid();
      try (Connection connection = connect(postgres);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
        row.next();
        kill(row.getLong(1));

        await(() -> postgres.pid() != pid && postgres.isRunning());
      }
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
      assertThat(folder.postmasters()).containsExactly(postgres.pid());
    }
  }

  @Test
  void retriesWhileAnotherProgramHasItsPort() throws Exception {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    Path configuration = folder.database().resolve("postgresql.conf");
    String working = Files.readString(configuration);
    try (DataFolder data = folder.held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      // This line keeps PostgreSQL from starting before the port is taken.
      Files.writeString(configuration, working + "nonsense = 1\n");
      kill(postgres.pid());
      try (ServerSocket taken = takePort(postgres.port())) {
        assertThat(taken.isBound()).isTrue();
        Files.writeString(configuration, working);
        await(() -> folder.log().contains("could not create any TCP/IP sockets"));
        assertThat(postgres.isRunning()).isFalse();
      }

      await(postgres::isRunning);
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
    }
  }

  @Test
  void replacesThePostgresThatAKilledServerLeftRunning() throws Exception {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    long orphan;
    try (PostgresOwner owner = PostgresOwner.spawn("start", path)) {
      orphan = Long.parseLong(owner.await("started"));
      owner.kill();
    }
    assertThat(folder.postmasters()).containsExactly(orphan);

    long replacement = startsWithItsRow(folder);

    assertThat(replacement).isNotEqualTo(orphan);
  }

  @Test
  void startsAfterServerAndPostgresWereKilled() throws Exception {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    kill(launchUnwatched(folder));

    startsWithItsRow(folder);
  }

  @Test
  void startsDespiteAStalePidFile() throws Exception {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    Process foreign = new ProcessBuilder("sleep", "600").start();
    try {
      Files.writeString(
          folder.database().resolve("postmaster.pid"),
          foreign.pid() + "\n" + folder.database() + "\n1700000000\n5432\n\n127.0.0.1\n");

      startsWithItsRow(folder);

      assertThat(foreign.isAlive()).isTrue();
    } finally {
      foreign.destroyForcibly().waitFor();
    }
  }

  @Test
  void recreatesTheDatabaseAfterAnInterruptedCreation() throws Exception {
    PostgresFolder folder = new PostgresFolder(path);
    try (PostgresOwner owner = PostgresOwner.spawn("start", path)) {
      await(() -> unfinished().anyMatch(f -> Files.exists(f.resolve("PG_VERSION"))));
      owner.kill();
    }
    assertThat(folder.database()).doesNotExist();

    try (DataFolder data = folder.held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      assertThat(query(postgres, "select current_database()")).isEqualTo("stockroom");
    }
    await(() -> unfinished().findAny().isEmpty());
  }

  /** Starts PostgreSQL like a server and returns the id of its process. */
  private static long startsWithItsRow(PostgresFolder folder) {
    try (DataFolder data = folder.held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
      assertThat(folder.postmasters()).containsExactly(postgres.pid());
      return postgres.pid();
    }
  }

  /** Starts PostgreSQL without a supervisor. */
  private static long launchUnwatched(PostgresFolder folder) throws IOException {
    try (DataFolder data = folder.held()) {
      PostgresLog log = new PostgresLog(folder.path().resolve("postgres.log"));
      PostgresCommand command = PostgresCommand.forThisUser(data);
      PostgresBinaries binaries = PostgresBinaries.locate(data, command);
      DatabaseFiles files = DatabaseFiles.open(data, binaries, command, log);
      PostgresLogin login = new PostgresLogin(LoopbackPort.choose(0), files.password());
      Postmaster postmaster = Postmaster.launch(binaries, command, files, log, login.port());
      postmaster.awaitLogin(login);
      return postmaster.pid();
    }
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
  }

  private Stream<Path> unfinished() {
    File[] found = path.toFile().listFiles((parent, name) -> name.startsWith("postgres.new-"));
    return found == null ? Stream.empty() : Stream.of(found).map(File::toPath);
  }

  private static ServerSocket takePort(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    await(
        () -> {
          try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
          } catch (IOException e) {
            return false;
          }
        });
    return socket;
  }

  private static void runWithoutEnd(EmbeddedPostgres postgres) {
    try {
      execute(postgres, "do $$ begin loop null; end loop; end $$");
    } catch (SQLException e) {
      // Expected: the server was killed.
    }
  }
}
