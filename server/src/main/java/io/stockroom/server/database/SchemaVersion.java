package io.stockroom.server.database;

import java.util.Arrays;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;

/** The versions of the tables: which one a database has, which ones this program knows. */
public final class SchemaVersion {
  /** Where the versions of a database are written down, by the migrations themselves. */
  public static final String HISTORY = "flyway_schema_history";

  private SchemaVersion() {}

  /** The version of the database's tables; null where it has none of ours. */
  public static @Nullable String current(Database database) {
    MigrationInfo current = flyway(database, MigrationVersion.LATEST).info().current();
    return current == null ? null : current.getVersion().getVersion();
  }

  /** The newest version that this program can make. */
  public static String newest(Database database) {
    return Arrays.stream(flyway(database, MigrationVersion.LATEST).info().all())
        .filter(migration -> migration.getState().isResolved() && migration.isVersioned())
        .map(MigrationInfo::getVersion)
        .max(MigrationVersion::compareTo)
        .map(MigrationVersion::getVersion)
        .orElseThrow();
  }

  public static boolean isNewer(String version, String than) {
    return MigrationVersion.fromVersion(version).isNewerThan(than);
  }

  /** Makes the tables, or brings them forward, up to just this version. */
  public static void bringTo(Database database, String version) {
    try {
      flyway(database, MigrationVersion.fromVersion(version)).migrate();
    } catch (FlywayException refused) {
      throw new StartRefused(
          "The tables cannot be made in this database: " + refused.getMessage(), refused);
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
