package io.stockroom.core.database;

import java.sql.SQLException;

/** Opens the databases of cells. */
public interface CellSource {
  /**
   * Opens the database of a cell and brings its schema up to date. Fails if the database cannot be
   * reached, or if its schema is unknown to this program.
   */
  Database open(CellTable.Row row) throws SQLException;

  /** How to log in to the database of a cell. */
  DatabaseRoles roles(CellTable.Row row);

  /** Closes every database that it has opened. */
  void close();
}
