package io.stockroom.server.backup;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The hidden temporary file of a backup, renamed when it is complete. It is locked while it is
 * written, so the next backup can detect and delete the file of a killed process.
 */
final class AtomicFile implements AutoCloseable {
  private static final String ENDING = ".partial";

  private final Path target;
  private final Path path;
  private final FileChannel channel;

  private AtomicFile(Path target, Path path, FileChannel channel) {
    this.target = target;
    this.path = path;
    this.channel = channel;
  }

  static AtomicFile beside(Path target) throws IOException {
    Path absolute = target.toAbsolutePath();
    Path folder = absolute.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new BackupException("There is no folder " + folder + " for the backup.");
    }
    String beginning = "." + absolute.getFileName() + ".";
    clearLeftovers(folder, beginning);
    Path path =
        Files.createTempFile(
            folder,
            beginning,
            ENDING,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    // if the command is interrupted
    path.toFile().deleteOnExit();
    FileChannel channel = FileChannel.open(path, READ, WRITE);
    channel.lock();
    return new AtomicFile(absolute, path, channel);
  }

  FileChannel channel() {
    return channel;
  }

  /** Renames the finished file, durably. */
  void finish() throws IOException {
    channel.force(true);
    Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(target.getParent(), READ)) {
      folder.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }

  private static void clearLeftovers(Path folder, String beginning) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            folder,
            file -> {
              String name = file.getFileName().toString();
              return name.startsWith(beginning) && name.endsWith(ENDING);
            })) {
      for (Path file : files) {
        if (isLeft(file)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean isLeft(Path file) {
    try (FileChannel channel = FileChannel.open(file, WRITE)) {
      return channel.tryLock() != null;
    } catch (IOException | OverlappingFileLockException e) {
      return false;
    }
  }
}
