package io.stockroom.core.database;

import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Brings the schema up to this version of the program. */
public final class Migrations {
  /** The newest file in {@code db/migration}. */
  static final String NEWEST = "1";

  private static final int OLDEST_MAJOR = 15;

  private static final Sql MAY_WRITE = Sql.of("select has_table_privilege('audit', 'insert')");

  private static final Sql HAS_HISTORY =
      Sql.of(
          """
          select coalesce(has_table_privilege(
            to_regclass('flyway_schema_history'), 'select'), false)
          """);

  private static final Sql IS_CURRENT =
      Sql.of(
          """
          select bool_and(success) and bool_or(version = :newest) from flyway_schema_history
          """);

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

  /** False after a restore, which creates the tables anew. */
  private static boolean mayWrite(Database database) throws SQLException {
    return database.read(connection -> MAY_WRITE.on(connection).one(row -> row.getBoolean(1)));
  }

  /** Most starts have nothing to migrate: this check is much faster than Flyway's. */
  private static boolean isCurrent(Database database) throws SQLException {
    return database.read(
        connection ->
            HAS_HISTORY.on(connection).one(row -> row.getBoolean(1))
                && IS_CURRENT.on(connection).set("newest", NEWEST).one(row -> row.getBoolean(1)));
  }
}
