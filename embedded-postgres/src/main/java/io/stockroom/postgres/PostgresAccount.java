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
 * The unprivileged account that runs PostgreSQL if Stockroom runs as root, so a stolen database
 * password gives no access to root's files.
 */
record PostgresAccount(String name, int uid, int gid) {
  /** The first existing one is used. */
  private static final List<String> NAMES = List.of("stockroom", "nobody");

  PostgresAccount {
    if (uid <= 0 || gid <= 0) {
      throw new IllegalArgumentException(name + " is a privileged account");
    }
  }

  /** Null if none of the accounts exists. */
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

  /** The command prefix that runs a program as this account. */
  List<String> prefix() {
    return List.of(
        "setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--no-new-privs");
  }

  boolean owns(Path path) throws IOException {
    return Integer.valueOf(uid).equals(owner(path));
  }

  /** Makes this account the owner of a file, or of a folder and its content. */
  void take(Path path) throws IOException {
    giveTree(path, uid, gid);
  }

  /** Changes the owner of a folder and its content; the folder itself last. */
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
