package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/** The two sides of the schema; each has its own migrations and its own history of them. */
public enum Schema {
  DIRECTORY("directory", "1", "application"),
  CELL("cell", "1", "audit");

  /** Other tables do not stop a migration if they are the other side's. */
  private static final Sql HAS_HISTORY =
      Sql.of("select coalesce(has_table_privilege(to_regclass(:table), 'select'), false)");

  private static final Sql MAY_WRITE = Sql.of("select has_table_privilege(:table, 'insert')");

  private final String folder;
  private final String newest;
  private final String table;

  /**
   * @param newest the version of the newest file in its folder
   * @param table one of its tables
   */
  Schema(String folder, String newest, String table) {
    this.folder = folder;
    this.newest = newest;
    this.table = table;
  }

  /** Its name: directory, or cell. */
  String side() {
    return folder;
  }

  String newest() {
    return newest;
  }

  /** Migrations only add to the tables, so this program also works with the next version. */
  String newestUsable() {
    return Integer.toString(Integer.parseInt(newest) + 1);
  }

  /** The table in which Flyway records the versions of a database. */
  public String history() {
    return "flyway_" + folder + "_history";
  }

  /** Whether the database has tables of this side. */
  public boolean isIn(Database database) throws SQLException {
    return database.read(this::isIn);
  }

  private boolean isIn(Connection connection) throws SQLException {
    return HAS_HISTORY.on(connection).set("table", history()).one(row -> row.getBoolean(1));
  }

  /** The version of the database's tables; null if it has none of them, or one of them failed. */
  public @Nullable String version(Database database) throws SQLException {
    return database.<@Nullable String>read(
        connection ->
            isIn(connection)
                ? Sql.of(
                        """
                        select case when bool_and(success) then (
                          select version from %1$s where version is not null
                          order by installed_rank desc limit 1) end
                        from %1$s
                        """
                            .formatted(history()))
                    .on(connection)
                    .<String>first(row -> row.getString(1))
                : null);
  }

  /** Whether the pool's role may write; false after a restore, which creates new tables. */
  boolean mayWrite(Database database) throws SQLException {
    return database.read(
        connection -> MAY_WRITE.on(connection).set("table", table).one(row -> row.getBoolean(1)));
  }

  FluentConfiguration flyway(DataSource database) {
    return Flyway.configure()
        .locations("classpath:db/" + folder)
        .table(history())
        .dataSource(database);
  }

  void migrate(FluentConfiguration flyway) {
    migrate(flyway, MigrationVersion.LATEST);
  }

  /** Creates or migrates the tables; those of the other side may be there, and no others. */
  void migrate(FluentConfiguration flyway, MigrationVersion target) {
    try {
      flyway
          .baselineOnMigrate(hasOtherSide(flyway))
          .baselineVersion("0")
          .target(target)
          .load()
          .migrate();
    } catch (FlywayException | SQLException refused) {
      throw new StartException(
          "The tables cannot be created in this database: " + refused.getMessage(), refused);
    }
  }

  private boolean hasOtherSide(FluentConfiguration flyway) throws SQLException {
    Schema other = this == CELL ? DIRECTORY : CELL;
    try (var connection = flyway.getDataSource().getConnection()) {
      return other.isIn(connection);
    }
  }
}
