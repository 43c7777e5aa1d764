package io.stockroom.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.access.CellPasswords;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.database.CellOpener;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.RowPrivileges;
import io.stockroom.core.database.StartException;
import io.stockroom.core.settings.Settings;
import java.sql.SQLException;
import java.time.Duration;

/** Opens the directory and the cells. */
final class DatabaseParts {
  /**
   * Together with the one second after which an unresponsive database is detected, this stays below
   * two seconds.
   */
  private static final Duration MAX_WAIT = Duration.ofMillis(500);

  private DatabaseParts() {}

  /** The directory and the cells, at the newest schema; closing them closes every database. */
  static Cells open(DatabaseRoles roles, SecretBox box, Settings settings, MeterRegistry meters) {
    int poolSize = settings.get(Settings.DATABASE_POOL_SIZE);
    Database directory = new Database(roles.server(), poolSize, MAX_WAIT, meters);
    try {
      Migrations.directory(directory, roles);
      RowPrivileges.warnOfTooMany(directory);
      directory.watch();
      Cells cells =
          Cells.open(
              directory,
              new CellOpener(
                  directory,
                  roles,
                  (password, cell) -> CellPasswords.open(box, password, cell),
                  poolSize,
                  MAX_WAIT,
                  meters));
      cells.watch();
      return cells;
    } catch (SQLException failure) {
      directory.close();
      throw new StartException("The database cannot be used: " + failure.getMessage(), failure);
    } catch (RuntimeException | Error failure) {
      directory.close();
      throw failure;
    }
  }
}
