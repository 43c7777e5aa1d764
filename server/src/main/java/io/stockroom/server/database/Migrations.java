package io.stockroom.server.database;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;

/** Brings the schema up to this version of the program. */
public final class Migrations {
  /** The newest file in {@code db/migration}. */
  static final String NEWEST = "9";

  private static final int OLDEST_MAJOR = 15;

  private Migrations() {}

  public static void run(Database database) throws SQLException {
    int major = database.read(connection -> connection.getMetaData().getDatabaseMajorVersion());
    if (major < OLDEST_MAJOR) {
      throw new IllegalStateException(
          "The database is PostgreSQL " + major + "; Stockroom needs 15 or newer.");
    }
    if (isCurrent(database)) {
      return;
    }
    Flyway.configure()
        .dataSource(database.dataSource())
        .locations("classpath:db/migration")
        .load()
        .migrate();
  }

  /** Most starts find nothing to do: asking costs a statement, Flyway a good part of a second. */
  private static boolean isCurrent(Database database) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement exists =
                  connection.prepareStatement(
                      "select to_regclass('flyway_schema_history') is not null");
              ResultSet row = exists.executeQuery()) {
            row.next();
            if (!row.getBoolean(1)) {
              return false;
            }
          }
          try (PreparedStatement newest =
              connection.prepareStatement(
                  """
                  select bool_and(success) and bool_or(version = ?) from flyway_schema_history
                  """)) {
            newest.setString(1, NEWEST);
            try (ResultSet row = newest.executeQuery()) {
              row.next();
              return row.getBoolean(1);
            }
          }
        });
  }
}
