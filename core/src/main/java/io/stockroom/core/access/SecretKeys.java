package io.stockroom.core.access;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys that seal secrets come from: a setting, or a file with one key a line, the one to
 * seal with first.
 */
public final class SecretKeys {
  private final List<String> set;
  private final @Nullable Path file;

  private SecretKeys(List<String> set, @Nullable Path file) {
    this.set = set;
    this.file = file;
  }

  /** Keys separated by commas. */
  public static SecretKeys ofSetting(String text) {
    return new SecretKeys(Arrays.stream(text.split(",", -1)).map(String::strip).toList(), null);
  }

  public static SecretKeys ofFile(Path file) {
    return new SecretKeys(List.of(), file);
  }

  public List<String> read() {
    Path path = file;
    if (path == null) {
      return set;
    }
    try {
      return Files.readAllLines(path).stream().filter(line -> !line.isBlank()).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(path + " cannot be read", unreadable);
    }
  }

  public boolean mayChange() {
    return file != null;
  }

  /** Puts a new key before those there are; what they sealed can still be opened. */
  String addNew() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    String fresh = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    write(Stream.concat(Stream.of(fresh), read().stream()).toList());
    return fresh;
  }

  /**
   * Forgets the keys that are older than {@code key}; a newer one may be in use by now, and its
   * rotation may have forgotten {@code key} already.
   */
  void forgetOlderThan(String key) {
    List<String> keys = read();
    if (keys.contains(key)) {
      write(keys.subList(0, keys.indexOf(key) + 1));
    }
  }

  private void write(List<String> keys) {
    Path path = file;
    if (path == null) {
      throw new IllegalStateException("keys of a setting cannot be changed here");
    }
    try {
      Path fresh =
          Files.createTempFile(
              path.toAbsolutePath().getParent(),
              "secret",
              ".new",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(fresh, keys);
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failed) {
      throw new UncheckedIOException(path + " cannot be written", failed);
    }
  }
}
