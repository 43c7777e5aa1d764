package io.stockroom.server;

import io.stockroom.server.database.Database;
import io.stockroom.server.database.Durability;
import java.sql.SQLException;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Ready means: the database answers, and it keeps what it confirms. */
final class DatabaseHealth implements HealthIndicator {
  private final Database database;

  DatabaseHealth(Database database) {
    this.database = database;
  }

  @Override
  public Health health() {
    try {
      List<String> faults = Durability.faults(database);
      return faults.isEmpty()
          ? Health.up().build()
          : Health.down().withDetail("notDurable", faults).build();
    } catch (SQLException unreachable) {
      return Health.down()
          .withDetail("unreachable", String.valueOf(unreachable.getMessage()))
          .build();
    }
  }
}
