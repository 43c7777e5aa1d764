package io.stockroom.server;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Durability;
import java.sql.SQLException;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Readiness: the database is reachable and durable, and the server is not shutting down. */
final class DatabaseHealth implements HealthIndicator {
  private final Database database;
  private volatile boolean stopping;

  DatabaseHealth(Database database) {
    this.database = database;
  }

  /** Reports "not ready" from now on, so load balancers use other nodes. */
  void stop() {
    stopping = true;
  }

  @Override
  public Health health() {
    if (stopping) {
      return Health.outOfService().withDetail("stopping", true).build();
    }
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
