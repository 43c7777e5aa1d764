package io.stockroom.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user this process runs as. */
final class CurrentUser {
  private CurrentUser() {}

  static int id() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isRoot() {
    return id() == 0;
  }
}
