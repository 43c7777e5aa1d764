package io.stockroom.core.access;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Failures;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rotates the key that encrypts secrets. At every step each secret can be decrypted with a key in
 * the file, so a rotation can stop anywhere and run again. It locks the key exclusively while it
 * changes the file, which keeps out other rotations and new secrets.
 */
public final class KeyRotation {
  /** Further secrets in the directory that the key encrypts. */
  public interface InDirectory {
    /** Encrypts them again, with the newest key; returns how many there are. */
    int reseal(Connection connection) throws SQLException;
  }

  /** Secrets among the merchants' data that the key encrypts. */
  public interface InCells {
    /** As {@link InDirectory#reseal}, of one cell, in a transaction of its own. */
    int reseal(Database cell) throws SQLException;
  }

  private static final Sql ANSWERS = Sql.of("select 1");

  private final Cells cells;
  private final SecretKeys keys;
  private final Credentials credentials;
  private final Applications applications;
  private final InDirectory inDirectory;
  private final InCells inCells;

  public KeyRotation(
      Cells cells,
      SecretKeys keys,
      Credentials credentials,
      Applications applications,
      InDirectory inDirectory,
      InCells inCells) {
    this.cells = cells;
    this.keys = keys;
    this.credentials = credentials;
    this.applications = applications;
    this.inDirectory = inDirectory;
    this.inCells = inCells;
  }

  /** Whether there is a new key: one that the server may create, or one the operator has set. */
  public boolean isPossible() {
    return keys.mayChange() || keys.read().size() > 1;
  }

  /** The cells that cannot be reached although they have secrets, with the reasons. */
  public Map<String, String> unreachable() throws SQLException {
    Map<String, String> reasons = new TreeMap<>();
    for (CellTable.Row row : cells.directory().read(CellTable::withMerchants)) {
      String reason = row.merchants() == 0 ? null : unreachable(row);
      if (reason != null) {
        reasons.put(row.name(), reason);
      }
    }
    return reasons;
  }

  private @Nullable String unreachable(CellTable.Row row) {
    Cells.Cell cell = cells.byId(row.id());
    if (cell == null) {
      return cells.unusable().getOrDefault(row.name(), "not opened yet");
    }
    try {
      boolean _ = cell.database().read(connection -> ANSWERS.on(connection).exists());
      return null;
    } catch (SQLException failure) {
      return Failures.reason(failure);
    }
  }

  /**
   * Returns how many secrets were encrypted again. Call it if no cell is {@link #unreachable}: it
   * leaves out cells without merchants that do not answer.
   */
  public int run(Actor actor) throws SQLException {
    Database directory = cells.directory();
    String key =
        directory.write(
            connection -> {
              credentials.holdKeyAlone(connection);
              return keys.mayChange() ? keys.addNew() : keys.read().getFirst();
            });
    int others = resealCells();
    int resealed =
        directory.write(
            connection -> {
              credentials.holdKeyAlone(connection);
              int more = others + inDirectory.reseal(connection);
              return applications.reseal(connection, more, actor);
            });
    if (keys.mayChange()) {
      directory.write(
          connection -> {
            credentials.holdKeyAlone(connection);
            keys.forgetOlderThan(key);
            return resealed;
          });
    }
    return resealed;
  }

  private int resealCells() throws SQLException {
    int resealed = 0;
    for (CellTable.Row row : cells.directory().read(CellTable::withMerchants)) {
      Cells.Cell cell = cells.byId(row.id());
      if (cell != null && (row.merchants() > 0 || unreachable(row) == null)) {
        resealed += inCells.reseal(cell.database());
      }
    }
    return resealed;
  }
}
