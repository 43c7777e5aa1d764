package io.stockroom.lab.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The account of Debian's PostgreSQL: no database runs as root. */
final class Account {
  private static final String NAME = "postgres";

  private Account() {}

  /** The beginning of a command that runs as this account; empty if we are not root anyway. */
  static List<String> command() {
    return Laboratory.isRoot()
        ? List.of("setpriv", "--reuid=" + NAME, "--regid=" + NAME, "--clear-groups")
        : List.of();
  }

  /** Lets the account write to a folder of the laboratory, and pass the folder above it. */
  static void give(Laboratory laboratory, Path folder) {
    if (!Laboratory.isRoot()) {
      return;
    }
    laboratory.processes().run("chown", "-R", NAME + ":" + NAME, folder.toString());
    try {
      Files.setPosixFilePermissions(
          laboratory.folder(), PosixFilePermissions.fromString("rwx--x--x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
