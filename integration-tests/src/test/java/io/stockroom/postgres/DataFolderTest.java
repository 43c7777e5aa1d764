package io.stockroom.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataFolderTest {
  @TempDir Path temporary;

  @Test
  void createsAMissingFolderForItsOwnerOnly() throws IOException {
    try (DataFolder data = DataFolder.open(temporary.resolve("new/data"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.path())))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void leavesAnExistingFolderAsItIs() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("data"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));

    try (DataFolder data = DataFolder.open(folder)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.path())))
          .isEqualTo("rwxr-x---");
    }
  }

  @Test
  void rejectsAFileInsteadOfAFolder() throws IOException {
    Path file = Files.createFile(temporary.resolve("data"));

    assertThatThrownBy(() -> DataFolder.open(file))
        .isInstanceOf(StartException.class)
        .hasMessageContaining(file + " is a file")
        .hasMessageContaining("--data");
  }

  @Test
  void rejectsAFolderThatCannotBeCreated() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));

    assertThatThrownBy(() -> DataFolder.open(file.resolve("data")))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("cannot be created")
        .hasMessageContaining("--data");
  }

  @Test
  void rejectsAnUnwritableFolder() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("data"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

    try (PostgresOwner other = PostgresOwner.spawnAs(65534, temporary, "hold", folder)) {
      assertThat(other.await("refused"))
          .startsWith("The data folder " + folder + " cannot be written by the user nobody.");
    }
  }

  @Test
  void createsASecretOnceAndReadsItAfterwards() throws IOException {
    try (DataFolder data = DataFolder.open(temporary)) {
      String secret = data.secret("key", 32);

      assertThat(secret).matches("[A-Za-z0-9_-]{43}");
      assertThat(data.secret("key", 32)).isEqualTo(secret);
      assertThat(data.secret("other", 32)).isNotEqualTo(secret);
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(temporary.resolve("key"))))
          .isEqualTo("rw-------");
      assertThat(content(temporary)).containsExactlyInAnyOrder("key", "other");
    }
  }

  @Test
  void concurrentReadersGetTheSameSecret() throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(8)) {
      Callable<String> ask = () -> DataFolder.open(temporary).secret("key", 32);
      List<Future<String>> answers =
          executor.invokeAll(Stream.generate(() -> ask).limit(40).toList());

      assertThat(answers).extracting(Future::get).containsOnly(answers.getFirst().get());
    }
    assertThat(content(temporary)).containsExactly("key");
  }

  @Test
  void readsASecretThatTheOperatorWrote() throws IOException {
    Files.writeString(temporary.resolve("key"), "chosen\n");

    try (DataFolder data = DataFolder.open(temporary)) {
      assertThat(data.secret("key", 32)).isEqualTo("chosen");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "one\ntwo\n"})
  void rejectsASecretFileWithoutExactlyOneLine(String text) throws IOException {
    Files.writeString(temporary.resolve("key"), text);

    try (DataFolder data = DataFolder.open(temporary)) {
      assertThatThrownBy(() -> data.secret("key", 32))
          .isInstanceOf(StartException.class)
          .hasMessageContaining(temporary.resolve("key") + " must contain exactly one line");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../key", "folder/key", "/key"})
  void rejectsASecretOutsideTheFolder(String name) {
    try (DataFolder data = DataFolder.open(temporary)) {
      assertThatThrownBy(() -> data.secret(name, 32)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void rejectsAFolderThatThisProcessAlreadyHolds() {
    try (DataFolder first = DataFolder.open(temporary);
        DataFolder second = DataFolder.open(temporary)) {
      first.hold();
      first.hold();

      assertThatThrownBy(second::hold)
          .isInstanceOf(FolderInUseException.class)
          .hasMessage(inUseBy(ProcessHandle.current().pid()));
    }
  }

  @Test
  void keepsTheFolderLockedAfterRejectingASecondInstance() throws Exception {
    try (DataFolder first = DataFolder.open(temporary);
        DataFolder second = DataFolder.open(temporary)) {
      first.hold();
      assertThatThrownBy(second::hold).isInstanceOf(FolderInUseException.class);

      try (PostgresOwner other = PostgresOwner.spawn("hold", temporary)) {
        assertThat(other.await("refused")).isEqualTo(inUseBy(ProcessHandle.current().pid()));
      }
    }
  }

  @Test
  void rejectsAFolderUntilItsHolderIsKilled() throws Exception {
    try (DataFolder data = DataFolder.open(temporary)) {
      try (PostgresOwner other = PostgresOwner.spawn("hold", temporary)) {
        other.await("holding");

        assertThatThrownBy(data::hold)
            .isInstanceOf(FolderInUseException.class)
            .hasMessage(inUseBy(other.pid()));
        other.kill();
      }

      data.hold();
    }
  }

  @Test
  void releasesTheFolderWhenClosed() {
    DataFolder first = DataFolder.open(temporary);
    first.hold();
    first.close();

    try (DataFolder second = DataFolder.open(temporary);
        DataFolder third = DataFolder.open(temporary)) {
      second.hold();

      assertThatThrownBy(third::hold).isInstanceOf(FolderInUseException.class);
    }
  }

  private String inUseBy(long process) {
    return "The data folder "
        + temporary
        + " is in use by another Stockroom server (process "
        + process
        + "). Stop that server, or choose another folder with --data.";
  }

  private static List<String> content(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
