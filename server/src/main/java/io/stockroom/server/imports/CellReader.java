package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.imports.Columns.Column;

/** The texts of a row's cells; what is no text to be read is noted as a fault of the row. */
final class CellReader {
  /** What a spreadsheet may take for a formula; it reads the full-width ones as the others. */
  private static final String FORMULA_BEGINNINGS = "=+-@\t\r\n＝＋－＠";

  private final TableRows table;
  private final Columns columns;
  private final ProductRow row;

  CellReader(TableRows table, Columns columns, ProductRow row) {
    this.table = table;
    this.columns = columns;
    this.row = row;
  }

  void missing(Field field) {
    row.fault(columns.name(field), "", ErrorCode.FIELD_MISSING, columns.name(field));
  }

  String text(Cells cells, Field field) {
    Column column = columns.column(field);
    return column == null ? "" : text(cells, column);
  }

  /** The cell's text; where it is no text to be read, that is noted and it counts as empty. */
  String text(Cells cells, Column column) {
    String value = cells.value(column.index());
    ErrorCode fault = cells.fault(column.index());
    if (fault != null) {
      faulty(column, value, fault);
      return "";
    }
    if (!table.guardsFormulas() || value.isEmpty()) {
      return value;
    }
    if (value.charAt(0) == '=') {
      row.fault(column.name(), value, ErrorCode.CELL_FORMULA, value);
      return "";
    }
    return value.charAt(0) == '\'' ? unguarded(value) : value;
  }

  private void faulty(Column column, String value, ErrorCode fault) {
    switch (fault) {
      case CELL_TOO_LONG ->
          row.fault(column.name(), value, ErrorCode.CELL_TOO_LONG, Cells.MOST_CHARACTERS);
      case TEXT_TOO_LONG ->
          row.fault(
              column.name(),
              value,
              ErrorCode.TEXT_TOO_LONG,
              value,
              value.length(),
              FieldTexts.NUMBER_CHARACTERS);
      case CELL_FORMULA -> row.fault(column.name(), value, ErrorCode.CELL_FORMULA, value);
      default ->
          row.fault(
              column.name(), value, ErrorCode.CELL_FORMAT, value, "a value, but Excel's own error");
    }
  }

  /** Takes off the apostrophe by which an export keeps a text from becoming a formula. */
  private static String unguarded(String value) {
    int end = 0;
    while (end < value.length() && value.charAt(end) == '\'') {
      end++;
    }
    boolean guarded = end < value.length() && FORMULA_BEGINNINGS.indexOf(value.charAt(end)) >= 0;
    return guarded ? value.substring(1) : value;
  }
}
