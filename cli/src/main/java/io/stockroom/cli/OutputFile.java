package io.stockroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is written as {@code NAME.part} and renamed when it is complete.
 *
 * @param replaces whether an existing file may be replaced
 */
record OutputFile(Path path, boolean replaces) {
  private static final int BUFFER = 1 << 16;

  /** Ends the command before any work if the file cannot be written. */
  void refuse() {
    if (Files.isDirectory(path)) {
      throw CommandException.failed("'%s' is a folder; pass a file.".formatted(path));
    }
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw CommandException.failed("There is no folder '%s'.".formatted(folder));
    }
    refuseExisting();
  }

  /** Writes the whole stream and returns the number of bytes. */
  long write(InputStream stream) throws IOException {
    Path part = path.resolveSibling(path.getFileName() + ".part");
    // if the command is interrupted
    part.toFile().deleteOnExit();
    try {
      long bytes = copy(stream, part);
      refuseExisting();
      Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return bytes;
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private void refuseExisting() {
    if (!replaces && Files.exists(path)) {
      throw CommandException.failed(
          "'%s' already exists. Choose another name, or replace it with --force.".formatted(path));
    }
  }

  private long copy(InputStream stream, Path part) throws IOException {
    try (FileChannel channel = open(part)) {
      byte[] buffer = new byte[BUFFER];
      long bytes = 0;
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        put(channel, ByteBuffer.wrap(buffer, 0, read));
        bytes += read;
      }
      channel.force(true);
      return bytes;
    }
  }

  private FileChannel open(Path part) {
    try {
      return FileChannel.open(
          part,
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private void put(FileChannel channel, ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Distinguishes a write error from an interrupted stream. */
  private CommandException unwritable(IOException e) {
    String reason =
        switch (e) {
          case AccessDeniedException _ -> "no permission to write there";
          case FileSystemException system when system.getReason() != null -> system.getReason();
          default -> String.valueOf(e.getMessage());
        };
    return CommandException.failed("'%s' cannot be written: %s.".formatted(path, reason), e);
  }
}
