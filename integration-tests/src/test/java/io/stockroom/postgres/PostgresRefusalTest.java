package io.stockroom.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which folders PostgreSQL is not started, and what is said about it. */
class PostgresRefusalTest {
  @TempDir Path path;

  @AfterEach
  void leaveNoProcess() throws IOException {
    new PostgresFolder(path).clear();
  }

  @Test
  void refusesToStartInAFolderItDoesNotHold() {
    try (DataFolder data = DataFolder.open(path)) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(data))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void refusesADatabaseOfAnotherMajorVersion() throws IOException {
    PostgresFolder folder = withVersion("17");

    refusesWith(folder, "was made by PostgreSQL 17, and this Stockroom brings PostgreSQL 18");
  }

  @Test
  void refusesADatabaseWhosePasswordIsLost() throws IOException {
    PostgresFolder folder = withVersion("18");

    refusesWith(folder, "postgres.password is missing");
    assertThat(folder.password()).doesNotExist();
  }

  @Test
  void refusesADatabaseWhosePasswordIsAnother() throws IOException {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    Files.writeString(folder.password(), "another\n");

    refusesWith(folder, "refuses the login");
    assertThat(folder.processes()).isEmpty();
  }

  @Test
  void refusesForeignFilesInPlaceOfTheDatabase() throws IOException {
    PostgresFolder folder = new PostgresFolder(path);
    Path notes = Files.createDirectory(folder.database()).resolve("notes.txt");
    Files.writeString(notes, "mine");

    refusesWith(folder, "not a PostgreSQL database");
    assertThat(notes).hasContent("mine");
  }

  @Test
  void showsWhatPostgresSaidWhenItDiesAtStart() throws IOException {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    Files.writeString(
        folder.database().resolve("postgresql.conf"), "nonsense = 1\n", StandardOpenOption.APPEND);

    refusesWith(folder, "unrecognized configuration parameter \"nonsense\"");
  }

  private static void refusesWith(PostgresFolder folder, String message) {
    try (DataFolder data = folder.held()) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(data))
          .isInstanceOf(StartException.class)
          .hasMessageContaining(message);
    }
  }

  /** As much of a database as is looked at before PostgreSQL runs. */
  private PostgresFolder withVersion(String version) throws IOException {
    PostgresFolder folder = new PostgresFolder(path);
    Files.createDirectory(folder.database());
    Files.writeString(folder.database().resolve("PG_VERSION"), version + "\n");
    return folder;
  }
}
