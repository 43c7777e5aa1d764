package io.stockroom.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** PostgreSQL's log file, limited in size. */
final class PostgresLog {
  static final long MAX_BYTES = 10L * 1024 * 1024;

  private static final int TAIL_BYTES = 8 * 1024;
  private static final int TAIL_LINES = 15;

  private final Path file;

  PostgresLog(Path file) {
    this.file = file;
  }

  /** Where a program that starts now appends its messages. */
  ProcessBuilder.Redirect destination() {
    try {
      Files.createFile(file, DataFolder.OWNER_ONLY_FILE);
    } catch (FileAlreadyExistsException e) {
      // Keep the messages of earlier starts.
    } catch (IOException e) {
      throw new StartException(
          "The file " + file + " cannot be written (" + DataFolder.describe(e) + ").", e);
    }
    return ProcessBuilder.Redirect.appendTo(file.toFile());
  }

  /**
   * Rotates a file that is too large. PostgreSQL keeps its file open, so the content is copied and
   * the file truncated in place.
   */
  void limit() throws IOException {
    if (size() <= MAX_BYTES) {
      return;
    }
    Files.copy(file, file.resolveSibling(file.getFileName() + ".1"), REPLACE_EXISTING);
    try (FileChannel channel = FileChannel.open(file, WRITE)) {
      channel.truncate(0);
    }
  }

  long size() {
    try {
      return Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last lines written after the first {@code from} bytes. */
  String since(long from) {
    try (FileChannel channel = FileChannel.open(file, READ)) {
      long start = Math.max(Math.min(from, channel.size()), channel.size() - TAIL_BYTES);
      ByteBuffer buffer = ByteBuffer.allocate(TAIL_BYTES);
      channel.read(buffer, start);
      List<String> lines = UTF_8.decode(buffer.flip()).toString().lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(" + file + " cannot be read: " + DataFolder.describe(e) + ")";
    }
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
