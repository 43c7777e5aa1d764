package io.stockroom.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.TableCopy;
import io.stockroom.server.testing.ScratchDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup file with any damage is rejected. */
class BackupFileTest {
  private static final TableCopy.Watcher NO_WATCHER = (_, _) -> {};

  /** The backup of a database with one merchant. */
  private static byte[] whole;

  @TempDir Path folder;

  @BeforeAll
  static void backUp(@TempDir Path place) throws Exception {
    Path file = place.resolve("small.backup");
    try (ScratchDatabase source = new ScratchDatabase()) {
      Migrations.run(source.database());
      source.texts(
          """
          insert into merchant (name, store_url, store_name) values ('One', 'one', 'One shop')
          returning merchant_id
          """);
      Backup.write(source.marketplace(), file, false, NO_WATCHER);
    }
    try (BackupFile backup = BackupFile.open(file, NO_WATCHER)) {
      assertThat(backup.manifest().rows()).isPositive();
    }
    whole = Files.readAllBytes(file);
  }

  @Test
  void rejectsAFileWithOneDamagedByteAnywhere() throws Exception {
    for (int at = 0; at < whole.length; at += Math.max(1, whole.length / 200)) {
      assertRefused(at);
    }
    for (int at = whole.length - BackupLayout.TAIL_BYTES - 30; at < whole.length; at++) {
      assertRefused(at);
    }
  }

  private void assertRefused(int at) throws Exception {
    byte[] damaged = whole.clone();
    damaged[at] ^= 1;
    // under a new name: overwriting a file forces a write to disk
    Path file = Files.write(folder.resolve(at + ".backup"), damaged);

    assertThatThrownBy(() -> BackupFile.open(file, NO_WATCHER))
        .as("byte " + at)
        .isInstanceOf(BackupException.class)
        .hasMessageMatching(".*( is damaged: | is truncated: | is not a backup).*");
  }

  @Test
  void reportsATruncatedFile() throws Exception {
    for (int length : new int[] {BackupLayout.HEAD_BYTES, whole.length / 2, whole.length - 1}) {
      Path cut = Files.write(folder.resolve("cut.backup"), Arrays.copyOf(whole, length));

      assertThatThrownBy(() -> BackupFile.open(cut, NO_WATCHER))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("is truncated");
    }
  }

  @Test
  void rejectsFilesThatAreNotBackups() throws Exception {
    Path text = Files.writeString(folder.resolve("notes.txt"), "not a backup at all ".repeat(50));
    Path empty = Files.createFile(folder.resolve("empty"));

    assertThatThrownBy(() -> BackupFile.open(text, NO_WATCHER))
        .hasMessage(text + " is not a backup of Stockroom.");
    assertThatThrownBy(() -> BackupFile.open(empty, NO_WATCHER)).hasMessage(empty + " is empty.");
    assertThatThrownBy(() -> BackupFile.open(folder, NO_WATCHER))
        .hasMessageContaining("not a file");
    assertThatThrownBy(() -> BackupFile.open(folder.resolve("none"), NO_WATCHER))
        .hasMessageContaining("There is no file");
  }
}
