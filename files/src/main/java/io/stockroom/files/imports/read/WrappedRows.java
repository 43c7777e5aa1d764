package io.stockroom.files.imports.read;

import java.io.IOException;

/** Rows that are read from another table; subclasses change or observe them. */
abstract class WrappedRows implements TableRows {
  final TableRows table;

  WrappedRows(TableRows table) {
    this.table = table;
  }

  @Override
  public boolean mayEndEarly() {
    return table.mayEndEarly();
  }

  @Override
  public boolean guardsFormulas() {
    return table.guardsFormulas();
  }

  @Override
  public String sheet(int row) {
    return table.sheet(row);
  }

  @Override
  public int rowsOfASheet() {
    return table.rowsOfASheet();
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
