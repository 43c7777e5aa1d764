package io.stockroom.lab.faults;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Migrations;
import io.stockroom.postgres.DataFolder;
import io.stockroom.postgres.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * A data folder with a database that the product itself has made and given its tables, stopped, for
 * copies of it; with the program that runs it.
 */
record Cluster(Path place, Path program, String user, String password) {
  /** The folder of the database itself. */
  Path folder() {
    return place.resolve("postgres");
  }

  static Cluster make(Path place) throws SQLException {
    try (DataFolder data = DataFolder.open(place)) {
      data.hold();
      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
        String program =
            ProcessHandle.of(postgres.pid())
                .flatMap(process -> process.info().command())
                .orElseThrow(() -> new IllegalStateException("PostgreSQL has ended at once"));
        DatabaseAddress address = postgres.roles().owner();
        try (Database database = new Database(address, 2, new SimpleMeterRegistry())) {
          Migrations.run(database);
        }
        return new Cluster(place, Path.of(program), address.user(), address.password());
      }
    }
  }
}
