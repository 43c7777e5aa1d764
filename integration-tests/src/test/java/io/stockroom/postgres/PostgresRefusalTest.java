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

/** Folders in which PostgreSQL does not start, and the error messages. */
class PostgresRefusalTest {
  @TempDir Path path;

  @AfterEach
  void leaveNoProcess() throws IOException {
    new PostgresFolder(path).clear();
  }

  @Test
  void rejectsAFolderThatItDoesNotHold() {
    try (DataFolder data = DataFolder.open(path)) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(data))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void rejectsADatabaseOfAnotherMajorVersion() throws IOException {
    PostgresFolder folder = withVersion("17");

    refusesWith(folder, "was created by PostgreSQL 17, but this Stockroom contains PostgreSQL 18");
  }

  @Test
  void rejectsADatabaseWithoutItsPassword() throws IOException {
    PostgresFolder folder = withVersion("18");

    refusesWith(folder, "postgres.password is missing");
    assertThat(folder.password()).doesNotExist();
  }

  @Test
  void rejectsADatabaseWithAnotherPassword() throws IOException {
    PostgresFolder folder = PostgresFolder.withOneRow(path);
    Files.writeString(folder.password(), "another\n");

    refusesWith(folder, "rejects the login");
    assertThat(folder.processes()).isEmpty();
  }

  @Test
  void rejectsForeignFilesInsteadOfADatabase() throws IOException {
    PostgresFolder folder = new PostgresFolder(path);
    Path notes = Files.createDirectory(folder.database()).resolve("notes.txt");
    Files.writeString(notes, "mine");

    refusesWith(folder, "not a PostgreSQL database");
    assertThat(notes).hasContent("mine");
  }

  @Test
  void showsTheLogOfAFailedStart() throws IOException {
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

  /** The part of a database that is checked before PostgreSQL starts. */
  private PostgresFolder withVersion(String version) throws IOException {
    PostgresFolder folder = new PostgresFolder(path);
    Files.createDirectory(folder.database());
    Files.writeString(folder.database().resolve("PG_VERSION"), version + "\n");
    return folder;
  }
}
