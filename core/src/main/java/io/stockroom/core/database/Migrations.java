package io.stockroom.core.database;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Brings the schemas of the directory and of the cells up to this version of the program. */
public final class Migrations {
  private static final int OLDEST_MAJOR = 15;

  private Migrations() {}

  /** For a command, which logs in as the owner of the tables, with one cell in the directory. */
  public static void run(Database database) throws SQLException {
    run(database, List.of(Schema.values()));
  }

  /** As {@link #run(Database)}, for a database that has only one side of the schema, or both. */
  public static void run(Database database, Collection<Schema> sides) throws SQLException {
    for (Schema schema : sides) {
      if (isDue(database, schema, "database")) {
        schema.migrate(schema.flyway(database.dataSource()));
      }
    }
  }

  /** For a server, whose pool may have another role than the owner of the tables. */
  public static void directory(Database database, DatabaseRoles roles) throws SQLException {
    run(database, Schema.DIRECTORY, roles, "directory");
  }

  /** As {@link #directory}, for the database of a cell. */
  public static void cell(Database database, DatabaseRoles roles, String name) throws SQLException {
    run(database, Schema.CELL, roles, "cell " + name);
  }

  private static void run(Database database, Schema schema, DatabaseRoles roles, String name)
      throws SQLException {
    boolean isDue = isDue(database, schema, name);
    DatabaseAddress owner = roles.owner();
    if (owner.equals(roles.server())) {
      if (isDue) {
        schema.migrate(schema.flyway(database.dataSource()));
      }
    } else if (isDue || !schema.mayWrite(database)) {
      schema.migrate(schema.flyway(owner.dataSource()));
      RowPrivileges.grant(roles);
    }
  }

  /** Most starts have nothing to migrate: this check is much faster than Flyway's. */
  private static boolean isDue(Database database, Schema schema, String name) throws SQLException {
    int major = database.read(connection -> connection.getMetaData().getDatabaseMajorVersion());
    if (major < OLDEST_MAJOR) {
      throw new StartException(
          "The database of the %s is PostgreSQL %d; Stockroom needs %d or newer."
              .formatted(name, major, OLDEST_MAJOR));
    }
    String version = schema.version(database);
    if (version == null) {
      return true;
    }
    if (SchemaVersion.isNewer(version, schema.newestUsable())) {
      throw new StartException(
          "The database of the %s has schema version %s, but this Stockroom works only with versions up to %s. Start the newer Stockroom that migrated it."
              .formatted(name, version, schema.newestUsable()));
    }
    return SchemaVersion.isNewer(schema.newest(), version);
  }
}
