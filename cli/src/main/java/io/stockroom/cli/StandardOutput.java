package io.stockroom.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Standard output, always in UTF-8: it contains JSON and Chinese names, which the POSIX locale of a
 * container would turn into question marks.
 */
final class StandardOutput extends PrintStream {
  private static final int DESCRIPTOR = 1;

  StandardOutput() {
    super(
        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)),
        true,
        StandardCharsets.UTF_8);
  }

  /**
   * Whether a write failed because the reader is gone, as with {@code | head}. A pipe fails for no
   * other reason; a file can also be on a full disk.
   */
  boolean isReaderGone() {
    return checkError() && isPipe();
  }

  private static boolean isPipe() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + DESCRIPTOR)).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException e) {
      return false;
    }
  }
}
