package io.stockroom.core.database;

import java.sql.SQLException;

/** Opens the databases of cells. */
public interface CellSource {
  /**
   * Opens the database of a cell and brings its schema up to date; one that is open follows the
   * cell to its new address. Fails if the database cannot be reached, if it is that of another
   * cell, or if its schema is unknown to this program.
   */
  Database open(CellTable.Row row) throws SQLException;

  /** Whether the cell's database has another address than the one that was opened. */
  boolean isMoved(CellTable.Row row);

  /** How to log in to the database of a cell. */
  DatabaseRoles roles(CellTable.Row row) throws SQLException;

  /** Closes the database of a cell that was removed. */
  void forget(int cellId);

  /** Closes every database that it has opened. */
  void close();
}
