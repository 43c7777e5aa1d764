package io.stockroom.files.export;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Reads the columns of a row of a binary {@code copy}, one after the other. */
final class BinaryRow {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  /** Signature, flags and the length of the header extension, before the first row. */
  private static final int HEADER = 11 + 4 + 4;

  private byte[] bytes = {};
  private int at;
  private boolean isFirst = true;

  /** Moves to a row with this many columns; returns false at the end marker after the last row. */
  boolean turnTo(byte[] row, int columns) {
    bytes = row;
    at = isFirst ? HEADER : 0;
    isFirst = false;
    int found = (short) SHORT.get(bytes, at);
    at += Short.BYTES;
    if (found == -1) {
      return false;
    }
    if (found != columns) {
      throw new IllegalStateException("%d columns instead of %d".formatted(found, columns));
    }
    return true;
  }

  int int4() {
    at += Integer.BYTES;
    return word();
  }

  int int2() {
    at += Integer.BYTES;
    int value = (short) SHORT.get(bytes, at);
    at += Short.BYTES;
    return value;
  }

  /** The bytes of a text; empty for null. */
  byte[] text() {
    int length = skip();
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  /** An array of texts without nulls. */
  byte[][] texts() {
    at += Integer.BYTES;
    int dimensions = word();
    at += 2 * Integer.BYTES;
    if (dimensions == 0) {
      return new byte[0][];
    }
    byte[][] texts = new byte[word()][];
    at += Integer.BYTES;
    for (int i = 0; i < texts.length; i++) {
      texts[i] = text();
    }
    return texts;
  }

  /** Skips a column and returns its length; its bytes end at {@link #at}. */
  int skip() {
    int length = Math.max(0, word());
    at += length;
    return length;
  }

  int at() {
    return at;
  }

  byte[] bytes() {
    return bytes;
  }

  private int word() {
    int value = (int) INT.get(bytes, at);
    at += Integer.BYTES;
    return value;
  }
}
