package io.stockroom.server.database;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Brings the schema up to this version of the program. */
public final class Migrations {
  /** The newest file in {@code db/migration}. */
  static final String NEWEST = "12";

  private static final int OLDEST_MAJOR = 15;

  private Migrations() {}

  /** For a command, which logs in as the owner of the tables. */
  public static void run(Database database) throws SQLException {
    if (isDue(database)) {
      flyway().dataSource(database.dataSource()).load().migrate();
    }
  }

  /** For a server, whose pool may have another role than the owner of the tables. */
  public static void run(Database database, DatabaseRoles roles) throws SQLException {
    if (roles.owner().equals(roles.server())) {
      run(database);
      return;
    }
    if (isDue(database) || !mayWrite(database)) {
      DatabaseAddress owner = roles.owner();
      flyway().dataSource(owner.jdbcUrl(), owner.user(), owner.password()).load().migrate();
      RowPrivileges.grant(roles);
    }
  }

  private static FluentConfiguration flyway() {
    return Flyway.configure().locations("classpath:db/migration");
  }

  private static boolean isDue(Database database) throws SQLException {
    int major = database.read(connection -> connection.getMetaData().getDatabaseMajorVersion());
    if (major < OLDEST_MAJOR) {
      throw new IllegalStateException(
          "The database is PostgreSQL " + major + "; Stockroom needs 15 or newer.");
    }
    return !isCurrent(database);
  }

  /** False after a restore, which makes the tables anew. */
  private static boolean mayWrite(Database database) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
                  connection.prepareStatement("select has_table_privilege('audit', 'insert')");
              ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean(1);
          }
        });
  }

  /** Most starts find nothing to do: asking costs a statement, Flyway a good part of a second. */
  private static boolean isCurrent(Database database) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement exists =
                  connection.prepareStatement(
                      """
                      select coalesce(has_table_privilege(
                        to_regclass('flyway_schema_history'), 'select'), false)
                      """);
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
