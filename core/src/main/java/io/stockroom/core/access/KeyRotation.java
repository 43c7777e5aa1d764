package io.stockroom.core.access;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

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
    /** As {@link InDirectory#reseal}, in a transaction of its own for each cell. */
    int reseal() throws SQLException;
  }

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

  /** Returns how many secrets were encrypted again. */
  public int run(Actor actor) throws SQLException {
    if (!cells.unusable().isEmpty()) {
      throw new SQLTransientConnectionException(
          "cells that cannot be used have secrets: " + cells.unusable().keySet(), "08006");
    }
    Database directory = cells.directory();
    String key =
        directory.write(
            connection -> {
              credentials.holdKeyAlone(connection);
              return keys.mayChange() ? keys.addNew() : keys.read().getFirst();
            });
    int others = inCells.reseal();
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
}
