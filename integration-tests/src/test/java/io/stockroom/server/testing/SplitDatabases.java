package io.stockroom.server.testing;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.database.Migrations;
import io.stockroom.postgres.DataFolder;
import io.stockroom.postgres.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A data folder whose main cell has a database of its own, beside the directory's. */
final class SplitDatabases {
  static final String CELL = "cell_main";

  private SplitDatabases() {}

  /** Starts PostgreSQL; the server that starts next makes the tables of the cell. */
  static EmbeddedPostgres start(Path path) {
    DataFolder folder = DataFolder.open(path);
    folder.hold();
    EmbeddedPostgres postgres = EmbeddedPostgres.start(folder);
    try {
      separate(postgres.roles());
      return postgres;
    } catch (SQLException e) {
      postgres.close();
      throw new IllegalStateException(e);
    }
  }

  private static void separate(DatabaseRoles roles) throws SQLException {
    DatabaseAddress owner = roles.owner();
    try (Database database = new Database(owner, 2, new SimpleMeterRegistry())) {
      Migrations.directory(database, roles);
    }
    try (Connection connection =
            DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + CELL);
      statement.executeUpdate(
          "update cell set url = replace('%s', '/' || current_database(), '/%s')"
              .formatted(owner.jdbcUrl(), CELL));
    }
  }
}
