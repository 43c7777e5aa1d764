package io.stockroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * An input named on the command line: a file, a pipe, or {@code -} for standard input.
 *
 * @param name its name in messages
 * @param length its length in bytes, if known before reading
 */
record InputFile(String name, PushbackInputStream stream, OptionalLong length)
    implements AutoCloseable {

  /** Opens {@code path}; ends the command if it cannot be read. */
  static InputFile open(Path path, Shell shell) {
    if (path.toString().equals("-")) {
      return new InputFile(
          "Standard input", new PushbackInputStream(shell.in()), OptionalLong.empty());
    }
    if (Files.isDirectory(path)) {
      throw CommandException.failed("'%s' is a folder; pass a file.".formatted(path));
    }
    try {
      OptionalLong length =
          Files.isRegularFile(path) ? OptionalLong.of(Files.size(path)) : OptionalLong.empty();
      InputStream stream = Files.newInputStream(path);
      return new InputFile("'" + path + "'", new PushbackInputStream(stream), length);
    } catch (NoSuchFileException e) {
      throw CommandException.failed(
          "There is no file '%s' (in %s).".formatted(path, Path.of("").toAbsolutePath()), e);
    } catch (IOException e) {
      throw CommandException.failed(
          "'%s' cannot be read. Check its permissions.".formatted(path), e);
    }
  }

  /** The first byte, without consuming it; -1 if the input is empty. */
  int peek() {
    try {
      int first = stream.read();
      if (first >= 0) {
        stream.unread(first);
      }
      return first;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** The whole input, if it has at most {@code limit} bytes. */
  byte[] read(int limit) {
    try {
      byte[] bytes = stream.readNBytes(limit + 1);
      if (bytes.length > limit) {
        throw CommandException.failed("%s has more than %d bytes.".formatted(name, limit));
      }
      return bytes;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private CommandException unreadable(IOException e) {
    return CommandException.failed("%s cannot be read: %s".formatted(name, e.getMessage()), e);
  }
}
