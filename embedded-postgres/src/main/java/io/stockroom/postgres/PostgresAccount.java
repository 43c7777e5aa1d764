package io.stockroom.postgres;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unprivileged account that PostgreSQL runs under when Stockroom is started as root, so that a
 * stolen database password gives nobody root's files.
 */
record PostgresAccount(String name, int uid, int gid) {
  /** The first that exists: one made for Stockroom, or the one that owns nothing. */
  private static final List<String> NAMES = List.of("stockroom", "nobody");

  PostgresAccount {
    if (uid <= 0 || gid <= 0) {
      throw new IllegalArgumentException(name + " is a privileged account");
    }
  }

  /** Null where the system knows neither name. */
  static @Nullable PostgresAccount find(Path passwd) {
    try {
      List<String> lines = Files.readAllLines(passwd);
      for (String name : NAMES) {
        for (String line : lines) {
          String[] fields = line.split(":", -1);
          if (fields.length > 3 && fields[0].equals(name) && !fields[2].equals("0")) {
            return new PostgresAccount(
                name, Integer.parseInt(fields[2]), Integer.parseInt(fields[3]));
          }
        }
      }
      return null;
    } catch (IOException | IllegalArgumentException unreadable) {
      return null;
    }
  }

  /** What runs a program under this account. */
  List<String> prefix() {
    return List.of(
        "setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--no-new-privs");
  }

  boolean owns(Path path) throws IOException {
    return Integer.valueOf(uid).equals(owner(path));
  }

  /** Gives it a file, or a folder with everything in it. */
  void take(Path path) throws IOException {
    giveTree(path, uid, gid);
  }

  /** Gives a folder with everything in it to one user; the folder itself last. */
  static void giveTree(Path root, int uid, int gid) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            give(file, uid, gid);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            give(folder, uid, gid);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  static int owner(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  private static void give(Path path, int uid, int gid) throws IOException {
    Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
  }
}
