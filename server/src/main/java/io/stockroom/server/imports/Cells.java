package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The cells of one row; the same object serves row after row. */
final class Cells {
  /** The most characters of a cell that are read; a description is the longest. */
  static final int MOST_CHARACTERS = 1_000_000;

  private int row;
  private int count;
  private String[] values = new String[32];
  private @Nullable ErrorCode[] faults = new ErrorCode[32];
  private boolean faulty;
  private @Nullable Fault rowFault;

  void start(int number) {
    row = number;
    count = 0;
    rowFault = null;
    if (faulty) {
      Arrays.fill(faults, null);
      faulty = false;
    }
  }

  void add(String value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, count * 2);
      faults = Arrays.copyOf(faults, count * 2);
    }
    values[count++] = value;
  }

  /** Puts a value at a column, with empty cells before it where there are none. */
  void set(int column, String value, @Nullable ErrorCode fault) {
    while (count < column) {
      add("");
    }
    add(value);
    if (fault != null) {
      mark(column, fault);
    }
  }

  void mark(int column, ErrorCode fault) {
    faults[column] = fault;
    faulty = true;
  }

  void refuse(Fault fault) {
    rowFault = fault;
  }

  int row() {
    return row;
  }

  int count() {
    return count;
  }

  String value(int column) {
    return column < count ? values[column] : "";
  }

  @Nullable ErrorCode fault(int column) {
    return column < count ? faults[column] : null;
  }

  boolean faulty() {
    return faulty || rowFault != null;
  }

  @Nullable Fault rowFault() {
    return rowFault;
  }

  boolean blank() {
    for (int i = 0; i < count; i++) {
      if (!values[i].isBlank()) {
        return false;
      }
    }
    return rowFault == null;
  }

  /** Whether anything stands in a cell from {@code column} on. */
  boolean filledFrom(int column) {
    for (int i = column; i < count; i++) {
      if (!values[i].isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
