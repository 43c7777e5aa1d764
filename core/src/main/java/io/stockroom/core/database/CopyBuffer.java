package io.stockroom.core.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows for one table in the binary form of {@code copy}: nothing needs escaping, and nothing is
 * parsed on the other side.
 */
public final class CopyBuffer {
  private static final byte[] HEAD = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private static final byte[] TAIL = {(byte) 0xff, (byte) 0xff};
  private static final int TEXT_TYPE = 25;

  private final String target;
  private byte[] bytes;
  private int length;

  /**
   * An empty buffer.
   *
   * @param target the table with its columns, such as {@code import_run (run, row)}
   * @param capacity how many bytes it holds before it has to grow
   */
  public CopyBuffer(String target, int capacity) {
    this.target = target;
    this.bytes = new byte[capacity];
  }

  /** How many bytes have gathered. */
  public int length() {
    return length;
  }

  public CopyBuffer row(int fields) {
    room(2);
    putShort(fields);
    return this;
  }

  public CopyBuffer nothing() {
    room(4);
    putInt(-1);
    return this;
  }

  public CopyBuffer int2(int value) {
    room(6);
    putInt(2);
    putShort(value);
    return this;
  }

  public CopyBuffer int4(int value) {
    room(8);
    putInt(4);
    putInt(value);
    return this;
  }

  public CopyBuffer int8(long value) {
    room(12);
    putInt(8);
    putLong(value);
    return this;
  }

  public CopyBuffer flag(boolean value) {
    room(5);
    putInt(1);
    bytes[length++] = (byte) (value ? 1 : 0);
    return this;
  }

  public CopyBuffer uuid(long high, long low) {
    room(20);
    putInt(16);
    putLong(high);
    putLong(low);
    return this;
  }

  public CopyBuffer text(@Nullable String value) {
    if (value == null) {
      return nothing();
    }
    int start = length;
    room(4);
    length += 4;
    putText(value);
    putIntAt(start, length - start - 4);
    return this;
  }

  public CopyBuffer texts(@Nullable List<String> values) {
    if (values == null) {
      return nothing();
    }
    int start = length;
    room(24);
    length += 4;
    putInt(values.isEmpty() ? 0 : 1);
    putInt(0);
    putInt(TEXT_TYPE);
    if (!values.isEmpty()) {
      putInt(values.size());
      putInt(1);
      values.forEach(this::text);
    }
    putIntAt(start, length - start - 4);
    return this;
  }

  /** Sends all rows and is empty afterwards. */
  public void send(Connection connection) throws SQLException, IOException {
    if (length > 0) {
      TableCopy.in(
          connection,
          "copy " + target + " from stdin (format binary)",
          to -> {
            to.write(HEAD);
            to.write(bytes, 0, length);
            to.write(TAIL);
          });
      length = 0;
    }
  }

  private void putText(String value) {
    int characters = value.length();
    room(characters);
    for (int i = 0; i < characters; i++) {
      char c = value.charAt(i);
      if (c >= 0x80) {
        byte[] rest = value.substring(i).getBytes(UTF_8);
        room(rest.length);
        System.arraycopy(rest, 0, bytes, length, rest.length);
        length += rest.length;
        return;
      }
      bytes[length++] = (byte) c;
    }
  }

  private void room(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }

  private void putShort(int value) {
    bytes[length++] = (byte) (value >> 8);
    bytes[length++] = (byte) value;
  }

  private void putInt(int value) {
    putIntAt(length, value);
    length += 4;
  }

  private void putIntAt(int at, int value) {
    bytes[at] = (byte) (value >> 24);
    bytes[at + 1] = (byte) (value >> 16);
    bytes[at + 2] = (byte) (value >> 8);
    bytes[at + 3] = (byte) value;
  }

  private void putLong(long value) {
    putInt((int) (value >> 32));
    putInt((int) value);
  }
}
