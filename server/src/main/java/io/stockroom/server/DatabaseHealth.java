package io.stockroom.server;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Durability;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Readiness: the directory and a cell are reachable and durable, and the server is not shutting
 * down. Without the directory, a node is ready while it can serve remembered callers.
 */
final class DatabaseHealth {
  /** The result of one check; the details say what is wrong. */
  record State(String status, Map<String, Object> details) {
    boolean isUp() {
      return status.equals("UP");
    }
  }

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

  State state() {
    if (stopping) {
      return new State("OUT_OF_SERVICE", Map.of("stopping", true));
    }
    List<String> faults = new ArrayList<>();
    Map<String, String> silent = new TreeMap<>(cells.unusable());
    String directorySilence = "";
    try {
      faults.addAll(Durability.faults(cells.directory()));
    } catch (SQLException unreachable) {
      directorySilence = String.valueOf(unreachable.getMessage());
      if (!isOutageBridged.getAsBoolean()) {
        return new State("DOWN", Map.of("unreachable", directorySilence));
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
    return state(faults, silent, answering);
  }

  /** Looks whether the disks of the databases are full. Runs periodically. */
  void probeWrites() {
    cells.directory().probeWrites();
    for (Cells.Cell cell : cells.all()) {
      if (cell.database() != cells.directory()) {
        cell.database().probeWrites();
      }
    }
  }

  /** Whether the databases take writes. Reads may work while they do not. */
  State writes() {
    Map<String, Object> details = new TreeMap<>();
    note("directory", cells.directory(), details);
    for (Cells.Cell cell : cells.all()) {
      if (cell.database() != cells.directory()) {
        note(cell.name(), cell.database(), details);
      }
    }
    return new State(details.isEmpty() ? "UP" : "DOWN", details);
  }

  private static void note(String name, Database database, Map<String, Object> details) {
    String failure = database.writeFailure();
    if (failure != null) {
      details.put(name, failure);
    }
  }

  /** While one cell answers, the node is ready for its merchants. */
  private static State state(List<String> faults, Map<String, String> silent, int answering) {
    Map<String, Object> details = new TreeMap<>();
    if (!faults.isEmpty()) {
      details.put("notDurable", faults);
    }
    if (!silent.isEmpty()) {
      details.put("unreachableCells", silent);
    }
    return new State(faults.isEmpty() && answering > 0 ? "UP" : "DOWN", details);
  }
}
