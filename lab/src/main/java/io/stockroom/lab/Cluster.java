package io.stockroom.lab;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Migrations;
import io.stockroom.postgres.DataFolder;
import io.stockroom.postgres.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * A stopped data folder whose database the product itself created, as a template for copies, with
 * the program that runs it.
 */
public record Cluster(Path place, Path program, String user, String password) {
  public Path folder() {
    return place.resolve("postgres");
  }

  static Cluster make(Path place) {
    try (DataFolder data = DataFolder.open(place)) {
      data.hold();
      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
        String program =
            ProcessHandle.of(postgres.pid())
                .flatMap(process -> process.info().command())
                .orElseThrow(() -> new IllegalStateException("PostgreSQL ended immediately"));
        DatabaseAddress address = postgres.roles().owner();
        try (Database database = new Database(address, 2, new SimpleMeterRegistry())) {
          Migrations.run(database);
        } catch (SQLException e) {
          throw new IllegalStateException("no template database could be made", e);
        }
        return new Cluster(place, Path.of(program), address.user(), address.password());
      }
    }
  }
}
