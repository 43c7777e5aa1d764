package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The lines of a file, each bounded; blank lines are passed over. */
final class JsonLines implements Closeable {
  static final int MOST_CHARACTERS = 4 * Cells.MOST_CHARACTERS;
  private static final int BUFFER = 1 << 16;

  private final Reader reader;
  private final String encoding;
  private final char[] buffer = new char[BUFFER];
  private final StringBuilder line = new StringBuilder();
  private int position;
  private int limit;
  private int row;
  private boolean tooLong;

  JsonLines(Reader reader, String encoding) {
    this.reader = reader;
    this.encoding = encoding;
  }

  /** The next line that is not blank; null at the end. */
  @Nullable String next() throws IOException, FileRefused {
    try {
      while (read()) {
        String text = line.toString();
        if (!text.isBlank()) {
          return text;
        }
      }
      return null;
    } catch (StrictReader.Undecodable bytes) {
      throw FileRefused.of(
          ErrorCode.FILE_ENCODING, row, String.valueOf(bytes.getMessage()), encoding);
    }
  }

  int row() {
    return row;
  }

  /** Whether the line is longer than what was given of it. */
  boolean tooLong() {
    return tooLong;
  }

  private boolean read() throws IOException {
    line.setLength(0);
    tooLong = false;
    row++;
    boolean any = false;
    while (true) {
      if (position == limit) {
        limit = Math.max(0, reader.read(buffer, 0, BUFFER));
        position = 0;
        if (limit == 0) {
          return any;
        }
      }
      any = true;
      int start = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      int room = MOST_CHARACTERS - line.length();
      tooLong |= position - start > room;
      line.append(buffer, start, Math.min(room, position - start));
      if (position < limit) {
        position++;
        return true;
      }
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
