package io.stockroom.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The folder of a benchmark's data. A marker in it says that a benchmark made it, so that nothing
 * else is ever filled or removed.
 */
record BenchFolder(Path path) {
  private static final String MARKER = "stockroom-bench.json";

  /** Takes an empty folder, a missing one, or one that a benchmark made; refuses any other. */
  static BenchFolder take(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    BenchFolder folder = new BenchFolder(absolute);
    try {
      if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
        throw new Refusal(absolute + " is a file. Name a folder with --data.");
      }
      if (!Files.exists(folder.marker())) {
        if (Files.exists(absolute) && !folder.isEmpty()) {
          throw new Refusal(
              "The folder %s holds files that no benchmark made, so none is run there. Name an empty"
                  + " or a new folder with --data."
                  .formatted(absolute));
        }
        Files.createDirectories(absolute);
        folder.mark(JsonMapper.shared().createObjectNode());
      }
      return folder;
    } catch (IOException e) {
      throw new Refusal("The folder " + absolute + " cannot be used (" + e + ").", e);
    }
  }

  Path data() {
    return path.resolve("data");
  }

  /** What the marker says of the data; an empty object where there are none yet. */
  JsonNode content() {
    try {
      return JsonMapper.shared().readTree(marker());
    } catch (JacksonException broken) {
      // it was stopped while it wrote: the data are made again
      return JsonMapper.shared().createObjectNode();
    }
  }

  void mark(ObjectNode content) {
    JsonMapper.shared().writeValue(marker(), content);
  }

  /** Removes the data, and keeps the folder for this benchmark. */
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

  private boolean isEmpty() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.findAny().isEmpty();
    }
  }

  private static void delete(Path root) {
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
