package io.stockroom.core.database;

import java.util.Arrays;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;

/** The versions of the schema: which one a database has, which ones this program knows. */
public final class SchemaVersion {
  /** The table in which Flyway records the versions of a database. */
  public static final String HISTORY = "flyway_schema_history";

  private SchemaVersion() {}

  /** The version of the database's tables; null where it has none of ours. */
  public static @Nullable String current(Database database) {
    MigrationInfo current = flyway(database, MigrationVersion.LATEST).info().current();
    return current == null ? null : current.getVersion().getVersion();
  }

  /** The versions that this program can make, the oldest first. */
  public static List<String> known(Database database) {
    return Arrays.stream(flyway(database, MigrationVersion.LATEST).info().all())
        .filter(migration -> migration.getState().isResolved() && migration.isVersioned())
        .map(MigrationInfo::getVersion)
        .sorted()
        .map(MigrationVersion::getVersion)
        .toList();
  }

  public static boolean isNewer(String version, String than) {
    return MigrationVersion.fromVersion(version).isNewerThan(than);
  }

  /** Creates the tables, or migrates them, up to exactly this version. */
  public static void bringTo(Database database, String version) {
    try {
      flyway(database, MigrationVersion.fromVersion(version)).migrate();
    } catch (FlywayException refused) {
      throw new StartException(
          "The tables cannot be created in this database: " + refused.getMessage(), refused);
    }
  }

  private static Flyway flyway(Database database, MigrationVersion target) {
    return Flyway.configure()
        .dataSource(database.dataSource())
        .locations("classpath:db/migration")
        .target(target)
        .load();
  }
}
