package io.stockroom.server.backup;

import io.stockroom.core.access.CellPasswords;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.database.CellOpener;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.database.Schema;
import io.stockroom.postgres.CommandDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The databases of a marketplace for a command, which logs in as the owners of the tables: the
 * directory, which the caller closes, and cells, which are opened when they are needed.
 */
public final class MarketplaceDatabases implements AutoCloseable {
  private final CommandDatabase directory;
  private final Supplier<SecretBox> keys;
  private final Map<Integer, CommandDatabase> cells = new HashMap<>();

  /**
   * @param keys the secret key, which encrypts the passwords of cells; asked only if there is one
   */
  public MarketplaceDatabases(CommandDatabase directory, Supplier<SecretBox> keys) {
    this.directory = directory;
    this.keys = keys;
  }

  public Database directory() {
    return directory.database();
  }

  /** The database with the server's own audit log. */
  public Database main() throws SQLException {
    List<CellTable.Row> rows = cells();
    return rows.isEmpty() ? directory() : open(rows.getFirst());
  }

  /** The cells that the directory lists. */
  List<CellTable.Row> cells() throws SQLException {
    return Schema.DIRECTORY.version(directory()) == null
        ? List.of()
        : directory().read(CellTable::withMerchants);
  }

  static CellTable.Row named(List<CellTable.Row> rows, String name) {
    CellTable.Row row =
        rows.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new BackupException(
                        "There is no cell %s. The directory lists: %s."
                            .formatted(
                                name,
                                String.join(
                                    ", ", rows.stream().map(CellTable.Row::name).toList()))));
    if (row.url() == null) {
      throw new BackupException(
          "The cell %s is in the directory's database, so it is saved and restored with it, without --cell."
              .formatted(name));
    }
    return row;
  }

  /** Opens the database of a cell. */
  Database open(CellTable.Row row) throws SQLException {
    if (row.url() == null) {
      return directory();
    }
    CommandDatabase opened = cells.get(row.id());
    if (opened == null) {
      opened = connect(row.name(), address(row));
      cells.put(row.id(), opened);
    }
    return opened.database();
  }

  private static CommandDatabase connect(String cell, DatabaseAddress address) throws SQLException {
    try {
      return CommandDatabase.outside(address);
    } catch (RuntimeException unreachable) {
      Throwable cause = unreachable.getCause() == null ? unreachable : unreachable.getCause();
      throw unreachable(cell, address.jdbcUrl(), cause.getMessage(), unreachable);
    }
  }

  private static SQLException unreachable(
      String cell, String url, @Nullable String why, RuntimeException cause) {
    return new SQLTransientConnectionException(
        "cell %s at %s: %s".formatted(cell, url, why), "08001", cause);
  }

  /** Where the database of a cell is, and the login of its owner. */
  DatabaseAddress address(CellTable.Row row) throws SQLException {
    String url = row.url();
    if (url == null) {
      return directory.address();
    }
    DatabaseAddress login = directory.address();
    try {
      return CellOpener.roles(new DatabaseRoles(login, login), row.address(url, this::open))
          .owner();
    } catch (IllegalArgumentException noLogin) {
      throw unreachable(row.name(), url, noLogin.getMessage(), noLogin);
    }
  }

  /** Stores another address of a cell in the directory. */
  void relocate(Connection connection, String cell, DatabaseAddress address) throws SQLException {
    CellTable.relocate(connection, cell, address, this::seal);
  }

  private String open(byte[] sealed, String cell) {
    return withKey(cell, key -> CellPasswords.open(key, sealed, cell));
  }

  private byte[] seal(String password, String cell) {
    return withKey(cell, key -> CellPasswords.seal(key, password, cell));
  }

  private <T> T withKey(String cell, Function<SecretBox, T> use) {
    try {
      return use.apply(keys.get());
    } catch (RuntimeException unreadable) {
      throw new BackupException(
          "The secret key encrypts the password of the cell %s, and cannot be used (%s). Copy the secret.key of the marketplace into the data folder first."
              .formatted(cell, unreadable.getMessage()),
          unreadable);
    }
  }

  /** Closes the databases of cells. */
  @Override
  public void close() {
    cells.values().forEach(CommandDatabase::close);
  }
}
