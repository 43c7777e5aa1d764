package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads CSV. A cell that is too long or a quote that is never closed makes its row bad; memory
 * stays bounded and the following rows are read.
 */
final class CsvRows implements TableRows {
  private static final int BUFFER = 1 << 16;
  private static final int END = -1;

  private final Reader reader;
  private final char delimiter;
  private final String encoding;
  private final RowCells cells = new RowCells();
  private final char[] buffer = new char[BUFFER];
  private int position;
  private int limit;
  private char[] field = new char[256];
  private int length;
  private boolean tooLong;
  private String[] before = new String[32];
  private int row;
  private boolean inRow;

  CsvRows(Reader reader, char delimiter, String encoding) {
    this.reader = reader;
    this.delimiter = delimiter;
    this.encoding = encoding;
  }

  @Override
  public @Nullable RowCells next() throws IOException, FileRejection {
    try {
      while (peek() != END) {
        row++;
        inRow = true;
        readRow();
        inRow = false;
        if (!cells.blank()) {
          return cells;
        }
      }
      return null;
    } catch (StrictReader.Undecodable bytes) {
      throw FileRejection.of(
          ErrorCode.FILE_ENCODING,
          inRow ? row : row + 1,
          String.valueOf(bytes.getMessage()),
          encoding);
    }
  }

  private void readRow() throws IOException {
    cells.start(row);
    int count = 0;
    for (boolean more = true; more; ) {
      int c = peek();
      length = 0;
      tooLong = false;
      if (c == '"') {
        position++;
        quoted();
      }
      more = plain();
      if (++count <= XlsxRows.MAX_COLUMNS) {
        finishCell();
      }
    }
    if (count > XlsxRows.MAX_COLUMNS) {
      cells.reject(
          FileProblem.of(
              row, "", "", ErrorCode.COLUMNS_TOO_MANY, row, count, XlsxRows.MAX_COLUMNS));
    }
  }

  /** Reads to the closing quote; a doubled quote stands for one. */
  private void quoted() throws IOException {
    while (true) {
      int c = read();
      if (c == END) {
        cells.reject(FileProblem.of(row, "", text(), ErrorCode.QUOTE_OPEN, row));
        return;
      }
      if (c == '"') {
        if (peek() != '"') {
          return;
        }
        position++;
      }
      put((char) c);
    }
  }

  /** Reads to the end of the cell and returns whether another cell follows in this row. */
  private boolean plain() throws IOException {
    while (true) {
      int c = read();
      if (c == delimiter) {
        return true;
      }
      if (c == '\n' || c == END) {
        return false;
      }
      if (c == '\r') {
        if (peek() == '\n') {
          position++;
        }
        return false;
      }
      put((char) c);
    }
  }

  private void finishCell() {
    int column = cells.count();
    if (column >= before.length) {
      before = Arrays.copyOf(before, before.length * 2);
    }
    String value = sameAsBefore(before[column]) ? before[column] : text();
    cells.add(value);
    before[column] = value;
    if (tooLong) {
      cells.mark(column, ErrorCode.CELL_TOO_LONG);
    }
  }

  /** Most cells repeat the one above; sharing the string saves memory and comparisons. */
  private boolean sameAsBefore(@Nullable String above) {
    if (above == null || above.length() != length) {
      return false;
    }
    for (int i = length - 1; i >= 0; i--) {
      if (above.charAt(i) != field[i]) {
        return false;
      }
    }
    return true;
  }

  private String text() {
    return length == 0 ? "" : new String(field, 0, length);
  }

  private void put(char c) {
    if (length == field.length) {
      if (length >= RowCells.MAX_CHARACTERS) {
        tooLong = true;
        return;
      }
      field = Arrays.copyOf(field, Math.min(length * 2, RowCells.MAX_CHARACTERS));
    }
    field[length++] = c;
  }

  private int peek() throws IOException {
    if (position == limit) {
      limit = Math.max(0, reader.read(buffer, 0, BUFFER));
      position = 0;
      if (limit == 0) {
        return END;
      }
    }
    return buffer[position];
  }

  private int read() throws IOException {
    int c = peek();
    if (c != END) {
      position++;
    }
    return c;
  }

  @Override
  public boolean mayEndEarly() {
    return false;
  }

  @Override
  public boolean guardsFormulas() {
    return true;
  }

  @Override
  public String sheet(int rowNumber) {
    return "";
  }

  @Override
  public int rowsOfASheet() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
