package io.stockroom.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL from unpacking to shutdown, as users other than root. */
class PostgresUserTest {
  @TempDir Path folder;

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

  // Avoids unpacking again.
  private void seedBinaries(int user) throws IOException {
    try (DataFolder data = DataFolder.open(folder.resolve("seed"))) {
      Path binaries = PostgresBinaries.locate(data, PostgresCommand.forThisUser(data)).folder();
      Path place = Files.createDirectories(folder.resolve("home/cache/stockroom"));
      PostgresOwner.linkTree(binaries, place.resolve(binaries.getFileName()));
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
}
