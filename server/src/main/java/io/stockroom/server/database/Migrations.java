package io.stockroom.server.database;

import java.sql.SQLException;
import org.flywaydb.core.Flyway;

/** Brings the schema up to this version of the program. */
public final class Migrations {
  private static final int OLDEST_MAJOR = 15;

  private Migrations() {}

  public static void run(Database database) throws SQLException {
    int major = database.read(connection -> connection.getMetaData().getDatabaseMajorVersion());
    if (major < OLDEST_MAJOR) {
      throw new IllegalStateException(
          "The database is PostgreSQL " + major + "; Stockroom needs 15 or newer.");
    }
    Flyway.configure()
        .dataSource(database.dataSource())
        .locations("classpath:db/migration")
        .load()
        .migrate();
  }
}
