package io.stockroom.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresBinariesTest {
  private static final List<String> NEEDED =
      List.of("bin/postgres", "bin/initdb", "share/postgresql/postgres.bki");

  @TempDir Path temporary;

  @ParameterizedTest
  @CsvSource({
    "amd64, lib64/ld-linux-x86-64.so.2, postgres-linux-x86_64.txz",
    "aarch64, lib/ld-linux-aarch64.so.1, postgres-linux-arm_64.txz"
  })
  void knowsTheArchiveOfEachMachineAndTheBuildContainsIt(
      String architecture, String loader, String resource) throws IOException {
    touch(loader);

    assertThat(PostgresBinaries.resourceFor("Linux", architecture, temporary)).isEqualTo(resource);
    assertThat(PostgresBinariesTest.class.getClassLoader().getResource(resource)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({"Windows 11, amd64", "Linux, riscv64", "Mac OS X, aarch64"})
  void suggestsAnExternalServerWithoutAnArchive(String system, String architecture) {
    assertThatThrownBy(() -> PostgresBinaries.resourceFor(system, architecture, Path.of("/")))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("--database-url");
  }

  @Test
  void suggestsAnExternalServerWithoutGlibc() {
    assertThatThrownBy(() -> PostgresBinaries.resourceFor("Linux", "amd64", temporary))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("GNU C library")
        .hasMessageContaining("--database-url");
  }

  @Test
  void suggestsAnExternalServerOnAlpineWithACompatibilityLoader() throws IOException {
    touch("lib64/ld-linux-x86-64.so.2");
    touch("etc/alpine-release");

    assertThatThrownBy(() -> PostgresBinaries.resourceFor("Linux", "amd64", temporary))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("Alpine");
  }

  @Test
  void usesTheUsersCacheFolder() {
    assertThat(PostgresBinaries.cacheFolder(Map.of("XDG_CACHE_HOME", "/cache"), "/home/me"))
        .isEqualTo(Path.of("/cache"));
    assertThat(PostgresBinaries.cacheFolder(Map.of("XDG_CACHE_HOME", "relative"), "/home/me"))
        .isEqualTo(Path.of("/home/me/.cache"));
    assertThat(PostgresBinaries.cacheFolder(Map.of(), "/home/me"))
        .isEqualTo(Path.of("/home/me/.cache"));
    assertThat(PostgresBinaries.cacheFolder(Map.of(), "?")).isNull();
  }

  @Test
  void unpacksOnceIntoTheFirstUsablePlaceAndRepairsWhatACleanerDamaged() throws IOException {
    Path unusable = Files.createFile(temporary.resolve("file")).resolve("cache");
    Path usable = temporary.resolve("data/binaries");
    List<Path> places = List.of(unusable, usable);
    URL archive = smallArchive();

    PostgresBinaries first = PostgresBinaries.unpackInFirstUsable(places, archive, ours());
    Object firstFolder = key(first.folder());
    assertThat(first.folder().getParent()).isEqualTo(usable);
    assertThat(first.majorVersion()).isEqualTo("18");

    PostgresBinaries again = PostgresBinaries.unpackInFirstUsable(places, archive, ours());
    assertThat(key(again.folder())).isEqualTo(firstFolder);

    for (String file : NEEDED) {
      Files.delete(first.folder().resolve(file));
      PostgresBinaries repaired = PostgresBinaries.unpackInFirstUsable(places, archive, ours());
      assertThat(repaired.folder()).isEqualTo(first.folder());
      assertThat(repaired.folder().resolve(file)).isExecutable();
    }
  }

  @Test
  void explainsWhyNoFolderIsUsable() throws IOException {
    Path unusable = Files.createFile(temporary.resolve("file")).resolve("cache");
    URL archive = smallArchive();

    assertThatThrownBy(
            () -> PostgresBinaries.unpackInFirstUsable(List.of(unusable), archive, ours()))
        .isInstanceOf(StartException.class)
        .hasMessageContaining(unusable.toString())
        .hasMessageContaining("XDG_CACHE_HOME");
  }

  /**
   * A small archive with the required files; unpacking the real one takes seconds, see
   * PostgresUserTest.
   */
  private URL smallArchive() throws IOException {
    Path file = temporary.resolve("postgres-linux-x86_64.txz");
    byte[] content = "# PostgreSQL 18\n".getBytes(UTF_8);
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new XZCompressorOutputStream(Files.newOutputStream(file)))) {
      for (String name : NEEDED) {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setMode(0755);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
      }
    }
    return file.toUri().toURL();
  }

  private static Object key(Path folder) throws IOException {
    return Files.getAttribute(folder, "unix:ino");
  }

  private void touch(String file) throws IOException {
    Path path = temporary.resolve(file);
    Files.createDirectories(requireNonNull(path.getParent()));
    Files.createFile(path);
  }

  private PostgresCommand ours() {
    // no other account can reach a temporary folder
    try (DataFolder data = DataFolder.open(temporary.resolve("data"))) {
      return PostgresCommand.forThisUser(data);
    }
  }
}
