package io.stockroom.server;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Durability;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Readiness: the directory and a cell are reachable and durable, and the server is not shutting
 * down. Without the directory, a node is ready while it can serve remembered callers.
 */
final class DatabaseHealth implements HealthIndicator {
  private final Cells cells;
  private final BooleanSupplier isOutageBridged;
  private volatile boolean stopping;

  /**
   * @param isOutageBridged whether callers can be served while the directory does not answer
   */
  DatabaseHealth(Cells cells, BooleanSupplier isOutageBridged) {
    this.cells = cells;
    this.isOutageBridged = isOutageBridged;
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
    List<String> faults = new ArrayList<>();
    Map<String, String> silent = new TreeMap<>(cells.unusable());
    String directorySilence = "";
    try {
      faults.addAll(Durability.faults(cells.directory()));
    } catch (SQLException unreachable) {
      directorySilence = String.valueOf(unreachable.getMessage());
      if (!isOutageBridged.getAsBoolean()) {
        return Health.down().withDetail("unreachable", directorySilence).build();
      }
      silent.put("directory", directorySilence);
    }
    int answering = 0;
    for (Cells.Cell cell : cells.all()) {
      if (cell.database() == cells.directory()) {
        answering += directorySilence.isEmpty() ? 1 : 0;
        continue;
      }
      try {
        Durability.faults(cell.database())
            .forEach(fault -> faults.add("cell " + cell.name() + ": " + fault));
        answering++;
      } catch (SQLException unreachable) {
        silent.put(cell.name(), String.valueOf(unreachable.getMessage()));
      }
    }
    return health(faults, silent, answering);
  }

  /** While one cell answers, the node is ready for its merchants. */
  private static Health health(List<String> faults, Map<String, String> silent, int answering) {
    Health.Builder health = faults.isEmpty() && answering > 0 ? Health.up() : Health.down();
    if (!faults.isEmpty()) {
      health.withDetail("notDurable", faults);
    }
    if (!silent.isEmpty()) {
      health.withDetail("unreachableCells", silent);
    }
    return health.build();
  }
}
