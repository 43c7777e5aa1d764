package io.stockroom.postgres;

import static io.stockroom.postgres.PostgresFolder.connect;
import static io.stockroom.postgres.PostgresFolder.execute;
import static io.stockroom.postgres.PostgresFolder.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Normal operation and shutdown of PostgreSQL. */
class EmbeddedPostgresTest {
  private static PostgresFolder folder;
  private static DataFolder data;
  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start(@TempDir Path path) throws IOException {
    folder = PostgresFolder.withOneRow(path);
    // The folder's own configuration must not be able to turn off durability.
    Files.writeString(
        folder.database().resolve("postgresql.auto.conf"),
        "fsync = off\nsynchronous_commit = off\nlisten_addresses = '*'\n");
    data = folder.held();
    postgres = EmbeddedPostgres.start(data);
  }

  @AfterAll
  static void stop() {
    postgres.close();
    data.close();
  }

  @Test
  void runsDurably() {
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
  }

  @Test
  void listensOnLoopbackAndProtectsItsFiles() throws IOException {
    assertThat(listeners(postgres.port())).containsExactly("0100007F");
    assertThat(folder.mode("postgres")).isEqualTo("rwx------");
    assertThat(folder.mode("postgres.log")).isEqualTo("rw-------");
  }

  @Test
  void rejectsAWrongPassword() {
    assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl(), "stockroom", "guess"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    assertThat(query(postgres, "select current_user")).isEqualTo("stockroom");
    assertThat(postgres.roles().owner().password()).isEqualTo(data.secret("postgres.password", 32));
  }

  @Test
  void doesNotShareTheSessionOfTheServer() throws IOException {
    assertThat(session(postgres.pid())).isEqualTo(postgres.pid());
    assertThat(session(ProcessHandle.current().pid())).isNotEqualTo(postgres.pid());
  }

  @Test
  void keepsItsDataAfterAFastShutdownAndLeavesNoProcess(@TempDir Path path) throws Exception {
    PostgresFolder own = PostgresFolder.withOneRow(path);
    try (DataFolder held = own.held()) {
      EmbeddedPostgres first = EmbeddedPostgres.start(held);
      execute(first, "insert into kept values ('second row')");
      assertThat(first.isRunning()).isTrue();
      stopsImmediatelyDespiteAnOpenConnection(first);

      assertThat(first.isRunning()).isFalse();
      assertThat(own.processes()).isEmpty();
      assertThat(own.database().resolve("postmaster.pid")).doesNotExist();
      try (EmbeddedPostgres second = EmbeddedPostgres.start(held)) {
        assertThat(query(second, "select count(*) from kept")).isEqualTo("2");
        assertThat(second.port()).as("a cell may have this address").isEqualTo(first.port());
      }
    } finally {
      own.clear();
    }
  }

  private static void stopsImmediatelyDespiteAnOpenConnection(EmbeddedPostgres running)
      throws SQLException {
    try (Connection connection = connect(running);
        Statement statement = connection.createStatement()) {
      statement.execute("select 1");
      long before = System.nanoTime();
      running.close();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
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
}
