package io.stockroom.server.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** The source files of the site, by their path in the repository: {@code docs/api.md}. */
public final class Sources {
  private static final String PACKAGED = "/manual/";

  private final Function<String, Optional<byte[]>> files;

  private Sources(Function<String, Optional<byte[]>> files) {
    this.files = files;
  }

  /** The files packaged with the program. */
  public static Sources packaged() {
    return new Sources(
        path -> {
          try (InputStream stream = Sources.class.getResourceAsStream(PACKAGED + path)) {
            return stream == null ? Optional.empty() : Optional.of(stream.readAllBytes());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** The files of a repository clone. */
  public static Sources folder(Path repository) {
    return new Sources(
        path -> {
          Path file = repository.resolve(path);
          try {
            return Files.isRegularFile(file)
                ? Optional.of(Files.readAllBytes(file))
                : Optional.empty();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  Optional<byte[]> bytes(String path) {
    return files.apply(path);
  }

  Optional<String> text(String path) {
    return bytes(path).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }
}
