package io.stockroom.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
  @TempDir static Path template;
  @TempDir Path folder;

  @BeforeAll
  static void makeADatabaseWithOneRow() throws SQLException {
    try (DataFolder data = DataFolder.open(template)) {
      data.hold();
      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
        execute(postgres, "create table kept (value text)");
        execute(postgres, "insert into kept values ('row')");
      }
    }
  }

  @AfterEach
  void leaveNoProcess() throws IOException {
    if (Files.exists(folder.resolve("postgres"))) {
      new FolderProcesses(folder.resolve("postgres")).clear();
    }
  }

  @Test
  void keepsItsDataOverACleanStopWhichLeavesNoProcess() throws Exception {
    copyTemplate();
    try (DataFolder data = held()) {
      EmbeddedPostgres first = EmbeddedPostgres.start(data);
      execute(first, "insert into kept values ('second row')");
      assertThat(first.isRunning()).isTrue();
      first.close();

      assertThat(first.isRunning()).isFalse();
      assertThat(processesHere()).isEmpty();
      assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
      try (EmbeddedPostgres second = EmbeddedPostgres.start(data)) {
        assertThat(query(second, "select count(*) from kept")).isEqualTo("2");
      }
    }
  }

  @Test
  void stopsAtOnceAlthoughAConnectionIsOpen() throws Exception {
    copyTemplate();
    try (DataFolder data = held()) {
      EmbeddedPostgres postgres = EmbeddedPostgres.start(data);
      try (Connection connection = connect(postgres);
          Statement statement = connection.createStatement()) {
        statement.execute("select 1");
        long before = System.nanoTime();
        postgres.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
      }
      assertThat(processesHere()).isEmpty();
    }
  }

  @Test
  void runsDurablyAndForThisMachineOnly() throws Exception {
    copyTemplate();
    // The folder's own configuration must not be able to switch durability off.
    Files.writeString(
        folder.resolve("postgres/postgresql.auto.conf"),
        "fsync = off\nsynchronous_commit = off\nlisten_addresses = '*'\n");
    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      for (Map.Entry<String, String> setting :
          Map.of(
                  "fsync", "on",
                  "full_page_writes", "on",
                  "synchronous_commit", "on",
                  "data_checksums", "on",
                  "listen_addresses", "127.0.0.1",
                  "unix_socket_directories", "",
                  "server_encoding", "UTF8",
                  "shared_buffers", "256MB",
                  "max_wal_size", "2GB",
                  "password_encryption", "scram-sha-256")
              .entrySet()) {
        assertThat(query(postgres, "show " + setting.getKey()))
            .as(setting.getKey())
            .isEqualTo(setting.getValue());
      }
      assertThat(listeners(postgres.port())).containsExactly("0100007F");
      assertThat(mode("postgres")).isEqualTo("rwx------");
      assertThat(mode("postgres.log")).isEqualTo("rw-------");
    }
  }

  @Test
  void refusesAWrongPasswordAndAcceptsItsOwn() throws Exception {
    copyTemplate();
    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      assertThatThrownBy(
              () -> DriverManager.getConnection(postgres.jdbcUrl(), "stockroom", "guess"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
      assertThat(query(postgres, "select current_user")).isEqualTo("stockroom");
      assertThat(postgres.password()).isEqualTo(data.secret("postgres.password", 32));
    }
  }

  @Test
  void doesNotShareTheSessionOfTheServer() throws Exception {
    copyTemplate();
    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      assertThat(session(postgres.pid())).isEqualTo(postgres.pid());
      assertThat(session(ProcessHandle.current().pid())).isNotEqualTo(postgres.pid());
    }
  }

  @Test
  void startsAgainAtTheSameAddressAfterItsDeathAmidAStatement() throws Exception {
    copyTemplate();
    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      String url = postgres.jdbcUrl();
      long pid = postgres.pid();
      Thread busy = Thread.ofVirtual().start(() -> runWithoutEnd(postgres));
      await(
          () ->
              query(postgres, "select count(*) from pg_stat_activity where query like 'do%'")
                  .equals("1"));

      ProcessHandle.of(pid).orElseThrow().destroyForcibly();

      await(() -> postgres.pid() != pid && postgres.isRunning());
      assertThat(postgres.jdbcUrl()).isEqualTo(url);
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
      assertThat(postmastersHere()).containsExactly(postgres.pid());
      assertThat(busy.join(Duration.ofSeconds(10))).isTrue();
    }
    assertThat(processesHere()).isEmpty();
  }

  @Test
  void startsAgainWhenOneOfItsProcessesIsKilled() throws Exception {
    copyTemplate();
    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      long pid = postgres.pid();
      try (Connection connection = connect(postgres);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
        row.next();
        ProcessHandle.of(row.getLong(1)).orElseThrow().destroyForcibly();

        await(() -> postgres.pid() != pid && postgres.isRunning());
      }
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
      assertThat(postmastersHere()).containsExactly(postgres.pid());
    }
  }

  @Test
  void keepsTryingWhileAnotherProgramHasItsPort() throws Exception {
    copyTemplate();
    Path configuration = folder.resolve("postgres/postgresql.conf");
    String working = Files.readString(configuration);
    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      // With this line PostgreSQL does not come back before the port is taken.
      Files.writeString(configuration, working + "nonsense = 1\n");
      ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
      try (ServerSocket taken = takePort(postgres.port())) {
        assertThat(taken.isBound()).isTrue();
        Files.writeString(configuration, working);
        await(() -> log().contains("could not create any TCP/IP sockets"));
        assertThat(postgres.isRunning()).isFalse();
      }

      await(postgres::isRunning);
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
    }
  }

  @Test
  void replacesThePostgresThatAKilledServerLeftRunning() throws Exception {
    copyTemplate();
    long orphan = leaveOrphan();
    assertThat(postmastersHere()).containsExactly(orphan);

    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
      assertThat(postmastersHere()).containsExactly(postgres.pid()).doesNotContain(orphan);
    }
  }

  @Test
  void startsAfterServerAndPostgresWereKilled() throws Exception {
    copyTemplate();
    long orphan = leaveOrphan();
    ProcessHandle.of(orphan).orElseThrow().destroyForcibly();

    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      assertThat(query(postgres, "select value from kept")).isEqualTo("row");
      assertThat(postmastersHere()).containsExactly(postgres.pid());
    }
  }

  @Test
  void startsDespiteAStalePidFileThatNamesAForeignProcess() throws Exception {
    copyTemplate();
    Process foreign = new ProcessBuilder("sleep", "600").start();
    try (DataFolder data = held()) {
      Files.writeString(
          folder.resolve("postgres/postmaster.pid"),
          foreign.pid() + "\n" + folder.resolve("postgres") + "\n1700000000\n5432\n\n127.0.0.1\n");
      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
        assertThat(query(postgres, "select value from kept")).isEqualTo("row");
        assertThat(foreign.isAlive()).isTrue();
      }
    } finally {
      foreign.destroyForcibly().waitFor();
    }
  }

  @Test
  void makesTheDatabaseAnewWhenTheServerWasKilledInTheMiddle() throws Exception {
    try (PostgresOwner owner = PostgresOwner.spawn("start", folder)) {
      await(() -> unfinished().anyMatch(f -> Files.exists(f.resolve("PG_VERSION"))));
      owner.kill();
    }
    assertThat(folder.resolve("postgres")).doesNotExist();

    try (DataFolder data = held();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
      assertThat(query(postgres, "select current_database()")).isEqualTo("stockroom");
    }
    await(() -> unfinished().findAny().isEmpty());
  }

  @Test
  void refusesToStartInAFolderItDoesNotHold() {
    try (DataFolder data = DataFolder.open(folder)) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(data))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void refusesADatabaseOfAnotherMajorVersion() throws IOException {
    Files.createDirectory(folder.resolve("postgres"));
    Files.writeString(folder.resolve("postgres/PG_VERSION"), "17\n");

    refusesWith("was made by PostgreSQL 17, and this Stockroom brings PostgreSQL 18");
  }

  @Test
  void refusesADatabaseWhosePasswordIsLost() throws IOException {
    copyTemplate();
    Files.delete(folder.resolve("postgres.password"));

    refusesWith("postgres.password is missing");
    assertThat(folder.resolve("postgres.password")).doesNotExist();
  }

  @Test
  void refusesADatabaseWhosePasswordIsAnother() throws IOException {
    copyTemplate();
    Files.writeString(folder.resolve("postgres.password"), "another\n");

    refusesWith("refuses the login");
    assertThat(processesHere()).isEmpty();
  }

  @Test
  void refusesForeignFilesInPlaceOfTheDatabase() throws IOException {
    Files.createDirectory(folder.resolve("postgres"));
    Files.writeString(folder.resolve("postgres/notes.txt"), "mine");

    refusesWith("not a PostgreSQL database");
    assertThat(folder.resolve("postgres/notes.txt")).hasContent("mine");
  }

  @Test
  void showsWhatPostgresSaidWhenItDiesAtStart() throws IOException {
    copyTemplate();
    Files.writeString(
        folder.resolve("postgres/postgresql.conf"), "nonsense = 1\n", StandardOpenOption.APPEND);

    refusesWith("unrecognized configuration parameter \"nonsense\"");
  }

  @Test
  void runsForAnOrdinaryUserUnpackingIntoItsOwnCache() throws Exception {
    runsAs(65534);

    assertThat(folder.resolve("home/cache/stockroom")).isDirectoryContaining("glob:**postgresql-*");
  }

  @Test
  void runsForAUserWithoutAName() throws Exception {
    seedBinaries(54321);

    runsAs(54321);
  }

  // Unpacking again would only take time.
  private void seedBinaries(int user) throws IOException {
    try (DataFolder data = DataFolder.open(template)) {
      Path binaries = PostgresBinaries.locate(data).folder();
      Path place = Files.createDirectories(folder.resolve("home/cache/stockroom"));
      PostgresOwner.copyTree(binaries, place.resolve(binaries.getFileName()));
      Files.setPosixFilePermissions(
          place.resolve(binaries.getFileName()), PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.setAttribute(place, "unix:uid", user);
    }
  }

  private void runsAs(int user) throws Exception {
    try (PostgresOwner owner =
        PostgresOwner.spawnAs(user, folder, "start", folder.resolve("home/data"))) {
      long postgres = Long.parseLong(owner.await("started"));

      assertThat(Files.getAttribute(Path.of("/proc/" + postgres), "unix:uid")).isEqualTo(user);
      assertThat(owner.finish()).isZero();
      assertThat(ProcessHandle.of(postgres)).isEmpty();
    }
  }

  private void refusesWith(String message) {
    try (DataFolder data = held()) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(data))
          .isInstanceOf(StartRefused.class)
          .hasMessageContaining(message);
    }
  }

  private DataFolder held() {
    DataFolder data = DataFolder.open(folder);
    data.hold();
    return data;
  }

  private long leaveOrphan() throws Exception {
    try (PostgresOwner owner = PostgresOwner.spawn("start", folder)) {
      long pid = Long.parseLong(owner.await("started"));
      owner.kill();
      return pid;
    }
  }

  private void copyTemplate() throws IOException {
    PostgresOwner.copyTree(template.resolve("postgres"), folder.resolve("postgres"));
    PostgresOwner.copyTree(
        template.resolve("postgres.password"), folder.resolve("postgres.password"));
  }

  private Stream<Path> unfinished() {
    File[] found = folder.toFile().listFiles((parent, name) -> name.startsWith("postgres.new-"));
    return found == null ? Stream.empty() : Stream.of(found).map(File::toPath);
  }

  private List<Long> processesHere() {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> cwd(pid).startsWith(folder.resolve("postgres")))
        .toList();
  }

  /** A backend that ended since the list was made has no parent any more, and is no postmaster. */
  private List<Long> postmastersHere() {
    List<Long> here = processesHere();
    return here.stream().filter(pid -> parent(pid) != 0 && !here.contains(parent(pid))).toList();
  }

  private static long parent(long pid) {
    return ProcessHandle.of(pid).flatMap(ProcessHandle::parent).map(ProcessHandle::pid).orElse(0L);
  }

  private static Path cwd(long pid) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/cwd"));
    } catch (IOException e) {
      return Path.of("");
    }
  }

  private static long session(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3]);
  }

  private static List<String> listeners(int port) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns[3].equals("0A") && columns[1].endsWith(":%04X".formatted(port))) {
          addresses.add(columns[1].replaceFirst(":.*", ""));
        }
      }
    }
    return addresses;
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

  private String log() {
    try {
      return Files.readString(folder.resolve("postgres.log"));
    } catch (IOException e) {
      return "";
    }
  }

  private String mode(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file)));
  }

  private static void runWithoutEnd(EmbeddedPostgres postgres) {
    try {
      execute(postgres, "do $$ begin loop null; end loop; end $$");
    } catch (SQLException e) {
      // Its server was killed, as the test wants.
    }
  }

  private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
    return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
  }

  private static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(EmbeddedPostgres postgres, String sql) {
    try (Connection connection = connect(postgres);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertThat(result.next()).isTrue();
      return String.valueOf(result.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("nanoseconds past the deadline").isNegative();
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
