package io.stockroom.demo.generate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.database.TableCopy;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/** Writes rows in the text format of {@code copy}: tab-separated values, one row per line. */
final class CopyRows {
  private static final int BUFFER = 1 << 16;
  private static final int TOLD_EVERY = 1 << 12;

  private final OutputStream to;
  private final String table;
  private final TableCopy.Watcher watcher;
  private byte[] buffer = new byte[BUFFER];
  private int length;
  private boolean inRow;
  private long rows;

  CopyRows(OutputStream to, String table, TableCopy.Watcher watcher) {
    this.to = to;
    this.table = table;
    this.watcher = watcher;
  }

  CopyRows number(long value) {
    begin();
    plain(Long.toString(value));
    return this;
  }

  CopyRows flag(boolean value) {
    begin();
    put(value ? 't' : 'f');
    return this;
  }

  CopyRows text(String value) {
    begin();
    escaped(value);
    return this;
  }

  /** A text that needs no escaping. */
  CopyRows word(String value) {
    begin();
    plain(value);
    return this;
  }

  CopyRows texts(List<String> values) {
    StringBuilder array = new StringBuilder("{");
    for (String value : values) {
      array.append(array.length() == 1 ? "\"" : ",\"");
      array.append(value.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
    }
    return text(array.append('}').toString());
  }

  void end() throws IOException {
    put('\n');
    inRow = false;
    if (++rows % TOLD_EVERY == 0) {
      watcher.copied(table, rows);
    }
    if (length >= BUFFER / 2) {
      flush();
    }
  }

  /** Flushes the remaining rows at the end of the table. */
  void finish() throws IOException {
    flush();
    watcher.copied(table, rows);
  }

  private void begin() {
    if (inRow) {
      put('\t');
    }
    inRow = true;
  }

  private void escaped(String text) {
    for (byte each : text.getBytes(UTF_8)) {
      switch (each) {
        case '\\' -> escape('\\');
        case '\n' -> escape('n');
        case '\r' -> escape('r');
        case '\t' -> escape('t');
        default -> put(each);
      }
    }
  }

  private void escape(char meant) {
    put('\\');
    put(meant);
  }

  private void plain(String text) {
    for (int i = 0; i < text.length(); i++) {
      put(text.charAt(i));
    }
  }

  private void put(int single) {
    if (length == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    buffer[length++] = (byte) single;
  }

  private void flush() throws IOException {
    to.write(buffer, 0, length);
    length = 0;
  }
}
