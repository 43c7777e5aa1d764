package io.stockroom.core.database;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a database that has both sides of the schema, such as {@code 2.5}: directory 2,
 * cell 5.
 */
public final class SchemaVersion {
  private SchemaVersion() {}

  /** The version of the database's tables; null where it has none of ours. */
  public static @Nullable String current(Database database) throws SQLException {
    String directory = Schema.DIRECTORY.version(database);
    String cell = Schema.CELL.version(database);
    return directory == null || cell == null ? null : directory + "." + cell;
  }

  /** The versions that this program can make, the oldest first. */
  public static List<String> known(Database database) {
    return versions(database, Schema.DIRECTORY)
        .flatMap(directory -> versions(database, Schema.CELL).map(cell -> directory + "." + cell))
        .toList();
  }

  private static Stream<String> versions(Database database, Schema schema) {
    return Arrays.stream(schema.flyway(database.dataSource()).load().info().all())
        .filter(migration -> migration.getState().isResolved() && migration.isVersioned())
        .map(MigrationInfo::getVersion)
        .sorted()
        .map(MigrationVersion::getVersion);
  }

  public static boolean isNewer(String version, String than) {
    return MigrationVersion.fromVersion(version).isNewerThan(than);
  }

  /** Creates the tables, or migrates them, up to exactly this version. */
  public static void bringTo(Database database, String version) {
    String[] parts = version.split("\\.", 2);
    bringTo(database, Schema.DIRECTORY, parts[0]);
    bringTo(database, Schema.CELL, parts[1]);
  }

  private static void bringTo(Database database, Schema schema, String version) {
    schema.migrate(schema.flyway(database.dataSource()), MigrationVersion.fromVersion(version));
  }
}
