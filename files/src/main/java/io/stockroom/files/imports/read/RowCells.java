package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The cells of one row. One object is reused for all rows. */
public final class RowCells {
  /** How many characters of a cell are read; the longest field is the description. */
  public static final int MAX_CHARACTERS = 1_000_000;

  private int row;
  private int count;
  private String[] values = new String[32];
  private @Nullable ErrorCode[] problems = new ErrorCode[32];
  private boolean hasProblems;
  private boolean hidden;
  private @Nullable FileProblem rowProblem;

  public void start(int number) {
    row = number;
    count = 0;
    hidden = false;
    rowProblem = null;
    if (hasProblems) {
      Arrays.fill(problems, null);
      hasProblems = false;
    }
  }

  public void add(String value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, count * 2);
      problems = Arrays.copyOf(problems, count * 2);
    }
    values[count++] = value;
  }

  /** Sets the value of a column and fills skipped columns with empty cells. */
  public void set(int column, String value, @Nullable ErrorCode problem) {
    while (count < column) {
      add("");
    }
    add(value);
    if (problem != null) {
      mark(column, problem);
    }
  }

  /** Writes a text into a column, instead of what is there. */
  void put(int column, String value) {
    if (column < count) {
      values[column] = value;
    } else {
      set(column, value, null);
    }
  }

  public void mark(int column, ErrorCode problem) {
    problems[column] = problem;
    hasProblems = true;
  }

  public void reject(FileProblem problem) {
    rowProblem = problem;
  }

  void hide() {
    hidden = true;
  }

  /** Whether the row or its sheet is hidden in the workbook. */
  boolean isHidden() {
    return hidden;
  }

  public int row() {
    return row;
  }

  public int count() {
    return count;
  }

  public String value(int column) {
    return column < count ? values[column] : "";
  }

  public @Nullable ErrorCode problem(int column) {
    return column < count ? problems[column] : null;
  }

  boolean hasProblems() {
    return hasProblems || rowProblem != null;
  }

  @Nullable FileProblem rowProblem() {
    return rowProblem;
  }

  public boolean blank() {
    for (int i = 0; i < count; i++) {
      if (!values[i].isBlank()) {
        return false;
      }
    }
    return rowProblem == null;
  }

  /** Whether {@code column} or a later one has a value. */
  boolean filledFrom(int column) {
    for (int i = column; i < count; i++) {
      if (!values[i].isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
