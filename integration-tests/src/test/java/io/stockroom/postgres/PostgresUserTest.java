package io.stockroom.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL from unpacking to shutdown, as a user other than root. */
class PostgresUserTest {
  @TempDir Path folder;

  @Test
  void runsForAUserWithoutANameUnpackingIntoItsOwnCache() throws Exception {
    runsAs(54321);

    assertThat(folder.resolve("home/cache/stockroom")).isDirectoryContaining("glob:**postgresql-*");
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
