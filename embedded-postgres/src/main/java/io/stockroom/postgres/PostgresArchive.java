package io.stockroom.postgres;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks a {@code .txz} archive while reading it. */
final class PostgresArchive {
  private static final String PARTIAL = ".partial-";
  private static final Duration ABANDONED_AFTER = Duration.ofHours(1);

  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final InputStream in;

  PostgresArchive(InputStream in) {
    this.in = in;
  }

  /**
   * Unpacks into {@code place/name} atomically: the folder is missing or complete, even after a
   * crash. Several processes may do this concurrently; one creates the folder, the others use it.
   */
  void unpackTo(Path place, String name) throws IOException {
    deleteAbandoned(place, name + PARTIAL);
    Path partial = partial(place, name);
    try {
      try (TarArchiveInputStream tar =
          new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(in)))) {
        for (TarArchiveEntry entry = tar.getNextEntry();
            entry != null;
            entry = tar.getNextEntry()) {
          unpack(tar, entry, partial.toRealPath());
        }
      }
      Files.setPosixFilePermissions(partial, READABLE);
      flushToDisk(partial);
      provide(partial, place.resolve(name));
      DataFolder.force(place);
    } finally {
      deleteTree(partial);
    }
  }

  /** Moves a damaged folder away atomically. */
  static void discard(Path place, String name) throws IOException {
    Path former = partial(place, name);
    try {
      Files.move(place.resolve(name), former, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return;
    } finally {
      deleteTree(former);
    }
  }

  static void deleteTree(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      return;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static Path partial(Path place, String name) throws IOException {
    return Files.createTempDirectory(place, name + PARTIAL, DataFolder.OWNER_ONLY_FOLDER);
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path root)
      throws IOException {
    Path path = root.resolve(entry.getName()).normalize();
    if (path.equals(root) && entry.isDirectory()) {
      return;
    }
    if (!path.startsWith(root) || path.equals(root)) {
      throw new IOException("the archive has an entry outside its folder: " + entry.getName());
    }
    Path parent = requireNonNull(path.getParent());
    createFolder(parent);
    // A link to a folder could redirect later entries.
    if (!parent.toRealPath().equals(parent)) {
      throw new IOException("the archive has an entry behind a link: " + entry.getName());
    }
    if (entry.isSymbolicLink()) {
      Path link = Path.of(entry.getLinkName());
      if (!parent.resolve(link).normalize().startsWith(root)) {
        throw new IOException("the archive has a link that leaves its folder: " + entry.getName());
      }
      Files.createSymbolicLink(path, link);
    } else if (entry.isDirectory()) {
      createFolder(path);
    } else if (entry.isFile() && !entry.isLink()) {
      Files.copy(tar, path);
      Files.setPosixFilePermissions(path, permissions(entry.getMode()));
    } else {
      throw new IOException("the archive has an entry of unknown type: " + entry.getName());
    }
  }

  /** Independent of the umask, because another account may run the programs. */
  private static void createFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, READABLE);
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    List<PosixFilePermission> fromTheLeft = List.of(PosixFilePermission.values());
    for (int i = 0; i < fromTheLeft.size(); i++) {
      if ((mode & (0400 >> i)) != 0) {
        permissions.add(fromTheLeft.get(i));
      }
    }
    permissions.remove(PosixFilePermission.GROUP_WRITE);
    permissions.remove(PosixFilePermission.OTHERS_WRITE);
    return permissions;
  }

  // Without this, a power failure could leave a folder with its final name and empty files. If the
  // tool is missing, that small risk remains.
  private static void flushToDisk(Path folder) {
    try {
      Process sync =
          new ProcessBuilder("sync", "-f", folder.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!sync.waitFor(30, TimeUnit.SECONDS)) {
        sync.destroyForcibly();
      }
    } catch (IOException e) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void provide(Path partial, Path target) throws IOException {
    try {
      Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // Another process was first, and may already be running the programs in its folder.
      if (!Files.isDirectory(target)) {
        throw e;
      }
    }
  }

  private static void deleteAbandoned(Path place, String prefix) throws IOException {
    Instant limit = Instant.now().minus(ABANDONED_AFTER);
    List<Path> partials;
    try (Stream<Path> siblings = Files.list(place)) {
      partials = siblings.filter(p -> p.getFileName().toString().startsWith(prefix)).toList();
    }
    for (Path partial : partials) {
      try {
        if (Files.getLastModifiedTime(partial).toInstant().isBefore(limit)) {
          deleteTree(partial);
        }
      } catch (NoSuchFileException e) {
        // Another process has just finished or deleted it.
      }
    }
  }
}
