package io.stockroom.server;

import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Periodic maintenance tasks of every node; a failed task is retried at the next run. */
final class Housekeeping implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

  private static final int EVERY_SECONDS = 15;

  /** One maintenance task. */
  interface Chore {
    void run() throws SQLException;
  }

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("housekeeping").factory());

  Housekeeping(Chore... chores) {
    for (Chore chore : chores) {
      var _ =
          executor.scheduleWithFixedDelay(
              () -> attempt(chore), EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void attempt(Chore chore) {
    try {
      chore.run();
    } catch (SQLException | RuntimeException failure) {
      log.warn("a maintenance task failed: {}", failure.getMessage());
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
