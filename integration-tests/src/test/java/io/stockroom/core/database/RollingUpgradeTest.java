package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.server.testing.OwnDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A node works with the schema of its own version and of the next one. */
class RollingUpgradeTest {
  @Test
  void worksWithTheNextSchemaVersionAndRejectsTheOneAfterIt() throws Exception {
    try (Database database = new Database(OwnDatabase.create(), 2, new SimpleMeterRegistry())) {
      Migrations.run(database);
      for (Schema schema : Schema.values()) {
        int newest = Integer.parseInt(schema.newest());

        set(database, schema, newest + 1);
        Migrations.run(database);
        assertThat(schema.version(database)).isEqualTo(Integer.toString(newest + 1));

        set(database, schema, newest + 2);
        assertThatThrownBy(() -> Migrations.run(database))
            .isInstanceOf(StartException.class)
            .hasMessageContaining("schema version " + (newest + 2))
            .hasMessageContaining("only with versions up to " + (newest + 1));
        set(database, schema, newest);
      }
    }
  }

  /** Changes the version of the newest migration in the history. */
  private static void set(Database database, Schema schema, int version) throws SQLException {
    database.write(
        connection ->
            Sql.of(
                    """
                    update %1$s set version = :version
                    where installed_rank = (select max(installed_rank) from %1$s)
                    """
                        .formatted(schema.history()))
                .on(connection)
                .set("version", Integer.toString(version))
                .update());
  }
}
