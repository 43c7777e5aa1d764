package io.stockroom.core.database;

import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Opens the databases of cells for a server: a pool and a heartbeat for each. */
public final class CellOpener implements CellSource {
  private final Database directory;
  private final DatabaseRoles roles;
  private final CellTable.Passwords passwords;
  private final int poolSize;
  private final Duration maxWait;
  private final MeterRegistry meters;

  /**
   * A database in use.
   *
   * @param row the cell as it was when its address was last looked at
   */
  private record Opened(CellTable.Row row, Database database) {}

  private final Map<Integer, Opened> opened = new ConcurrentHashMap<>();

  /**
   * @param roles of the directory, and of cells in its database
   * @param poolSize the maximum number of connections to each cell
   * @param maxWait the maximum wait of a caller for a connection
   */
  public CellOpener(
      Database directory,
      DatabaseRoles roles,
      CellTable.Passwords passwords,
      int poolSize,
      Duration maxWait,
      MeterRegistry meters) {
    this.directory = directory;
    this.roles = roles;
    this.passwords = passwords;
    this.poolSize = poolSize;
    this.maxWait = maxWait;
    this.meters = meters;
  }

  @Override
  public Database open(CellTable.Row row) throws SQLException {
    if (row.url() == null) {
      Migrations.cell(directory, roles, row.name());
      return directory;
    }
    DatabaseRoles own = roles(row);
    Opened known = opened.get(row.id());
    Database database = known == null ? connect(row.name(), own) : known.database;
    database.relocate(own.server());
    opened.put(row.id(), new Opened(row, database));
    Migrations.cell(database, own, row.name());
    identify(database, row);
    return database;
  }

  /** An address may lead to another database than before. */
  private static void identify(Database database, CellTable.Row row) throws SQLException {
    UUID own = Objects.requireNonNull(row.identity());
    UUID found = database.<@Nullable UUID>read(CellIdentity::of);
    if (found == null) {
      found = database.write(connection -> CellIdentity.claim(connection, own));
    }
    if (!found.equals(own)) {
      throw new SQLNonTransientConnectionException(
          "this is the database of another cell; correct the address with: stockroom cell update "
              + row.name());
    }
  }

  @Override
  public boolean isMoved(CellTable.Row row) {
    Opened known = opened.get(row.id());
    return known != null && !known.row.hasAddressOf(row);
  }

  private Database connect(String cell, DatabaseRoles own) {
    Database database = Database.ofCell(cell, own.server(), poolSize, maxWait, meters);
    database.watch();
    return database;
  }

  @Override
  public DatabaseRoles roles(CellTable.Row row) throws SQLException {
    String url = row.url();
    if (url == null) {
      return roles;
    }
    try {
      return roles(roles, row.address(url, passwords));
    } catch (IllegalArgumentException noLogin) {
      throw new SQLNonTransientConnectionException(noLogin.getMessage(), "08001", noLogin);
    }
  }

  /** The login of a cell: its own, or those of the directory on the same server. */
  public static DatabaseRoles roles(DatabaseRoles directory, DatabaseAddress own) {
    return new DatabaseRoles(own.orLoginOf(directory.server()), own.orLoginOf(directory.owner()));
  }

  @Override
  public void forget(int cellId) {
    Opened gone = opened.remove(cellId);
    if (gone != null) {
      gone.database.close();
    }
  }

  @Override
  public void close() {
    opened.values().forEach(each -> each.database.close());
  }
}
