package io.stockroom.files.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Buffers bytes and writes them in large pieces. */
final class Bytes {
  private static final int PIECE = 1 << 16;

  private final OutputStream to;
  private byte[] buffer = new byte[2 * PIECE];
  private int length;
  private long handedOn;

  Bytes(OutputStream to) {
    this.to = to;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether a size is shown as a number: up to nine digits without leading zeros. */
  static boolean isWholeNumber(byte[] size) {
    boolean isWhole = size.length > 0 && size.length <= 9 && (size.length == 1 || size[0] != '0');
    for (byte each : size) {
      isWhole &= each >= '0' && each <= '9';
    }
    return isWhole;
  }

  Bytes put(int single) {
    if (length == buffer.length) {
      grow(1);
    }
    buffer[length++] = (byte) single;
    return this;
  }

  Bytes put(byte[] all) {
    return put(all, 0, all.length);
  }

  Bytes put(byte[] from, int offset, int count) {
    if (count > buffer.length - length) {
      grow(count);
    }
    System.arraycopy(from, offset, buffer, length, count);
    length += count;
    return this;
  }

  /** Puts a non-negative number in decimal digits. */
  Bytes number(int value) {
    int digits = 1;
    for (int rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    if (digits > buffer.length - length) {
      grow(digits);
    }
    int rest = value;
    for (int at = length + digits - 1; at >= length; at--) {
      buffer[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
    return this;
  }

  /** The total number of bytes. */
  long count() {
    return handedOn + length;
  }

  /** Writes the buffer if it is full enough; call it after each row. */
  void endRow() throws IOException {
    if (length >= PIECE) {
      handOn();
    }
  }

  void handOn() throws IOException {
    to.write(buffer, 0, length);
    handedOn += length;
    length = 0;
  }

  private void grow(int more) {
    buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
  }
}
