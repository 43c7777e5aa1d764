package io.stockroom.core.database;

import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Opens the databases of cells for a server: a pool and a heartbeat for each. */
public final class CellOpener implements CellSource {
  /** Decrypts the password of a cell. */
  public interface Passwords {
    String open(byte[] sealed, String cell);
  }

  private final Database directory;
  private final DatabaseRoles roles;
  private final Passwords passwords;
  private final int poolSize;
  private final Duration maxWait;
  private final MeterRegistry meters;
  private final Map<Integer, Database> opened = new ConcurrentHashMap<>();

  /**
   * @param roles of the directory; also of cells without a user of their own
   * @param poolSize the maximum number of connections to each cell
   * @param maxWait the maximum wait of a caller for a connection
   */
  public CellOpener(
      Database directory,
      DatabaseRoles roles,
      Passwords passwords,
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
    Database database = opened.computeIfAbsent(row.id(), _ -> connect(row.name(), own));
    Migrations.cell(database, own, row.name());
    return database;
  }

  private Database connect(String cell, DatabaseRoles own) {
    Database database = Database.ofCell(cell, own.server(), poolSize, maxWait, meters);
    database.watch();
    return database;
  }

  @Override
  public DatabaseRoles roles(CellTable.Row row) {
    String url = row.url();
    if (url == null) {
      return roles;
    }
    byte[] sealed = row.password();
    return roles(
        roles, url, row.user(), sealed == null ? null : passwords.open(sealed, row.name()));
  }

  /** As {@link #roles(CellTable.Row)}; without a user, the directory's roles log in. */
  public static DatabaseRoles roles(
      DatabaseRoles directory, String url, @Nullable String user, @Nullable String password) {
    DatabaseAddress own =
        DatabaseAddress.parse(url, user == null ? "" : user, password == null ? "" : password);
    if (!own.user().isEmpty()) {
      return new DatabaseRoles(own, own);
    }
    return new DatabaseRoles(
        at(own.jdbcUrl(), directory.server()), at(own.jdbcUrl(), directory.owner()));
  }

  private static DatabaseAddress at(String jdbcUrl, DatabaseAddress login) {
    return new DatabaseAddress(jdbcUrl, login.user(), login.password());
  }

  @Override
  public void close() {
    opened.values().forEach(Database::close);
  }
}
