package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The lines of a file, each with a maximum length. Blank lines are skipped. */
public final class JsonLines implements Closeable {
  public static final int MAX_CHARACTERS = 4 * RowCells.MAX_CHARACTERS;
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
  public @Nullable String next() throws IOException, FileRejection {
    try {
      while (read()) {
        String text = line.toString();
        if (!text.isBlank()) {
          return text;
        }
      }
      return null;
    } catch (StrictReader.Undecodable bytes) {
      throw FileRejection.of(
          ErrorCode.FILE_ENCODING, row, String.valueOf(bytes.getMessage()), encoding);
    }
  }

  public int row() {
    return row;
  }

  /** Whether the line was longer than the maximum and has been cut. */
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
      int room = MAX_CHARACTERS - line.length();
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
