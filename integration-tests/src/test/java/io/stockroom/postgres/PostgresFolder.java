package io.stockroom.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.server.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The data folder of a test, and the state of its PostgreSQL. */
record PostgresFolder(Path path) {
  /** Created once for all tests, because copying a database is faster than creating one. */
  private static final class Template {
    private static final Path FOLDER = make();

    private static Path make() {
      try {
        Path folder = Files.createTempDirectory("stockroom-template-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        try (DataFolder data = new PostgresFolder(folder).held();
            EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
          execute(postgres, "create table kept (value text)");
          execute(postgres, "insert into kept values ('row')");
        }
        return folder;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void delete(Path folder) {
      try {
        PostgresArchive.deleteTree(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Creates a database with one row and its password in the folder. */
  static PostgresFolder withOneRow(Path path) throws IOException {
    PostgresOwner.copyTree(Template.FOLDER.resolve("postgres"), path.resolve("postgres"));
    Files.copy(Template.FOLDER.resolve("postgres.password"), path.resolve("postgres.password"));
    return new PostgresFolder(path);
  }

  Path database() {
    return path.resolve("postgres");
  }

  Path password() {
    return path.resolve("postgres.password");
  }

  DataFolder held() {
    DataFolder data = DataFolder.open(path);
    data.hold();
    return data;
  }

  /** Stops everything that a failed test left running. */
  void clear() throws IOException {
    if (Files.exists(database())) {
      new FolderProcesses(database()).clear();
    }
  }

  List<Long> processes() {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> workingFolder(pid).startsWith(database()))
        .toList();
  }

  /** A backend that has exited has no parent and is not a postmaster. */
  List<Long> postmasters() {
    List<Long> here = processes();
    return here.stream().filter(pid -> parent(pid) != 0 && !here.contains(parent(pid))).toList();
  }

  String log() {
    try {
      return Files.readString(path.resolve("postgres.log"));
    } catch (IOException e) {
      return "";
    }
  }

  String mode(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path.resolve(file)));
  }

  static Connection connect(EmbeddedPostgres postgres) throws SQLException {
    DatabaseAddress owner = postgres.roles().owner();
    return DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password());
  }

  static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String query(EmbeddedPostgres postgres, String sql) {
    try (Connection connection = connect(postgres);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertThat(result.next()).isTrue();
      return String.valueOf(result.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static void await(BooleanSupplier condition) {
    assertThat(Eventually.within(Duration.ofSeconds(20), condition)).isTrue();
  }

  private static long parent(long pid) {
    return ProcessHandle.of(pid).flatMap(ProcessHandle::parent).map(ProcessHandle::pid).orElse(0L);
  }

  private static Path workingFolder(long pid) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/cwd"));
    } catch (IOException e) {
      return Path.of("");
    }
  }
}
