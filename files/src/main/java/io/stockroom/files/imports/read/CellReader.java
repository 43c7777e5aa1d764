package io.stockroom.files.imports.read;

import io.stockroom.files.imports.read.Columns.Column;
import io.stockroom.protocol.ErrorCode;

/** Reads the cells of a row as text. A cell that holds no text becomes a problem of the row. */
final class CellReader {
  private final boolean guardsFormulas;
  private final Columns columns;
  private final ProductRow row;

  CellReader(TableRows table, Columns columns, ProductRow row) {
    this.guardsFormulas = table.guardsFormulas();
    this.columns = columns;
    this.row = row;
  }

  void missing(Field field) {
    row.problem(columns.name(field), "", ErrorCode.FIELD_MISSING, columns.name(field));
  }

  String text(RowCells cells, Field field) {
    Column column = columns.column(field);
    return column == null ? "" : text(cells, column);
  }

  /** The cell's text; empty if the cell has a problem, which is noted. */
  String text(RowCells cells, Column column) {
    String value = cells.value(column.index());
    ErrorCode problem = cells.problem(column.index());
    if (problem != null) {
      note(column, value, problem);
      return "";
    }
    if (!guardsFormulas || value.isEmpty()) {
      return value;
    }
    if (value.charAt(0) == '=') {
      row.problem(column.name(), value, ErrorCode.CELL_FORMULA, value);
      return "";
    }
    return FormulaGuard.unguard(value);
  }

  private void note(Column column, String value, ErrorCode problem) {
    switch (problem) {
      case CELL_TOO_LONG ->
          row.problem(column.name(), value, ErrorCode.CELL_TOO_LONG, RowCells.MAX_CHARACTERS);
      case TEXT_TOO_LONG ->
          row.problem(
              column.name(),
              value,
              ErrorCode.TEXT_TOO_LONG,
              value,
              value.length(),
              FieldTexts.NUMBER_CHARACTERS);
      case CELL_FORMULA -> row.problem(column.name(), value, ErrorCode.CELL_FORMULA, value);
      default ->
          row.problem(
              column.name(), value, ErrorCode.CELL_FORMAT, value, "a value, but Excel's own error");
    }
  }
}
