package io.stockroom.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresArchiveTest {
  @TempDir Path place;

  @Test
  void keepsContentModesAndLinks() throws IOException {
    unpack(
        txz(folder("lib/"), file("bin/run", 0755), file("lib/data", 0664), link("lib/a", "data")));

    Path target = place.resolve("target");
    assertThat(target.resolve("bin/run")).hasContent("content of bin/run");
    assertThat(mode(target.resolve("bin/run"))).isEqualTo("rwxr-xr-x");
    assertThat(mode(target.resolve("lib/data"))).isEqualTo("rw-r--r--");
    assertThat(Files.readSymbolicLink(target.resolve("lib/a"))).isEqualTo(Path.of("data"));
  }

  @Test
  void acceptsALinkThatStaysInside() throws IOException {
    unpack(txz(file("data", 0644), link("lib/link", "../data")));

    assertThat(place.resolve("target/lib/link")).hasContent("content of data");
  }

  @Test
  void rejectsAnEntryOutsideTheArchive() throws IOException {
    refuses(txz(file("fine", 0644), file("lib/../../outside", 0644)), "outside its folder");
  }

  @Test
  void rejectsALinkThatLeavesTheArchive() throws IOException {
    refuses(txz(link("lib/link", "../../outside")), "link that leaves its folder");
  }

  @Test
  void rejectsAnAbsoluteLink() throws IOException {
    refuses(txz(link("link", "/etc")), "link that leaves its folder");
  }

  @Test
  void rejectsAnEntryBehindALink() throws IOException {
    refuses(txz(link("here", "."), link("here/up", "..")), "behind a link");
  }

  @Test
  void leavesNothingOfABrokenArchive() throws IOException {
    byte[] whole = txz(file("bin/run", 0755), file("bin/more", 0755));

    assertThatThrownBy(() -> unpack(java.util.Arrays.copyOf(whole, whole.length - 40)))
        .isInstanceOf(IOException.class);
    assertThat(content()).isEmpty();
  }

  @Test
  void deletesOldLeftoversButNotActiveOnes() throws IOException {
    Path abandoned = Files.createDirectories(place.resolve("target.partial-1/bin")).getParent();
    Path inTheMaking = Files.createDirectory(place.resolve("target.partial-2"));
    Files.setLastModifiedTime(abandoned, ago(Duration.ofMinutes(61)));
    Files.setLastModifiedTime(inTheMaking, ago(Duration.ofMinutes(59)));

    unpack(txz(file("bin/run", 0755)));

    assertThat(content()).containsExactlyInAnyOrder("target", "target.partial-2");
  }

  @Test
  void supportsConcurrentUnpacking() throws Exception {
    byte[] archive = txz(file("bin/run", 0755), file("lib/data", 0644));
    try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
      Callable<Boolean> unpack =
          () -> {
            unpack(archive);
            return Files.exists(place.resolve("target/lib/data"));
          };
      List<Future<Boolean>> all = executor.invokeAll(List.of(unpack, unpack, unpack, unpack));

      assertThat(all).extracting(Future::get).containsOnly(true);
    }
    assertThat(content()).containsExactly("target");
  }

  private void refuses(byte[] archive, String reason) throws IOException {
    assertThatThrownBy(() -> unpack(archive))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(reason);
    assertThat(content()).isEmpty();
  }

  private void unpack(byte[] archive) throws IOException {
    try (InputStream in = new ByteArrayInputStream(archive)) {
      new PostgresArchive(in).unpackTo(place, "target");
    }
  }

  private List<String> content() throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static FileTime ago(Duration age) {
    return FileTime.from(Instant.now().minus(age));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static TarArchiveEntry file(String name, int mode) {
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setMode(mode);
    entry.setSize(("content of " + name).length());
    return entry;
  }

  private static TarArchiveEntry folder(String name) {
    return new TarArchiveEntry(name, true);
  }

  private static TarArchiveEntry link(String name, String target) {
    TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK, true);
    entry.setLinkName(target);
    return entry;
  }

  private static byte[] txz(TarArchiveEntry... entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new XZCompressorOutputStream(bytes))) {
      for (TarArchiveEntry entry : entries) {
        tar.putArchiveEntry(entry);
        if (entry.isFile() && !entry.isSymbolicLink()) {
          tar.write(("content of " + entry.getName()).getBytes(UTF_8));
        }
        tar.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }
}
