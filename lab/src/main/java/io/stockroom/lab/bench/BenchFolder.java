package io.stockroom.lab.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The data folder of a benchmark. A marker file shows that a benchmark created it, so the benchmark
 * never fills or deletes another folder.
 */
final class BenchFolder implements AutoCloseable {
  private static final String MARKER = "stockroom-bench.json";
  private static final String LOCK = "stockroom-bench.lock";
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path path;
  private final FileChannel lock;

  private BenchFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Opens an empty folder, a missing one, or one that a benchmark created; rejects any other. */
  static BenchFolder take(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
        throw new BenchException(absolute + " is a file. Name a folder with --data.");
      }
      boolean made = Files.exists(absolute.resolve(MARKER));
      if (!made && Files.exists(absolute) && !isEmpty(absolute)) {
        throw new BenchException(
            ("The folder %s has files that no benchmark created. Name an empty"
                    + " or a new folder with --data.")
                .formatted(absolute));
      }
      if (!Files.exists(absolute)) {
        // the folder will contain secrets and tokens
        Files.createDirectories(absolute, OWNER_ONLY);
      }
      BenchFolder folder = new BenchFolder(absolute, lock(absolute));
      if (!made) {
        folder.mark(JsonMapper.shared().createObjectNode());
      }
      return folder;
    } catch (IOException e) {
      throw new BenchException("The folder " + absolute + " cannot be used (" + e + ").", e);
    }
  }

  Path path() {
    return path;
  }

  Path data() {
    return path.resolve("data");
  }

  /** Holds the process id and the port of a server that a program has left running. */
  Path running() {
    return path.resolve("server.running");
  }

  Path log() {
    return path.resolve("server.log");
  }

  /** What the marker says about the data; an empty object if there is no data yet. */
  JsonNode content() {
    try {
      return JsonMapper.shared().readTree(marker());
    } catch (JacksonException broken) {
      // an earlier run was stopped while writing the marker: create the data again
      return JsonMapper.shared().createObjectNode();
    }
  }

  void mark(ObjectNode content) {
    JsonMapper.shared().writeValue(marker(), content);
  }

  /** Deletes the data and keeps the folder. */
  void empty() {
    mark(JsonMapper.shared().createObjectNode());
    delete(data());
  }

  void remove() {
    delete(path);
  }

  private Path marker() {
    return path.resolve(MARKER);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (channel.tryLock() == null) {
      channel.close();
      throw new BenchException(
          "Another benchmark is running in "
              + folder
              + ". Wait until it ends, or name another folder with --data.");
    }
    return channel;
  }

  private static boolean isEmpty(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.findAny().isEmpty();
    }
  }

  static void delete(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
