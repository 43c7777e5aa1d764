package io.stockroom.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.database.SqlFailures;
import io.stockroom.core.database.StopSignal;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The maintenance tasks of every node. Each has a thread of its own, so a slow task delays no other
 * one. A task that fails, whatever it throws, runs again at its next turn.
 */
final class Housekeeping implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

  /** So that the tasks do not all need a connection at the same moment. */
  private static final Duration APART = Duration.ofMillis(250);

  /** The work of a maintenance task. */
  interface Chore {
    void run() throws SQLException;
  }

  /**
   * A maintenance task.
   *
   * @param name the name in metrics and in the log
   * @param pause the time between two runs, and before the first one
   */
  record Task(String name, Duration pause, Chore chore) {}

  private final Clock clock;
  private final MeterRegistry meters;
  private final StopSignal stop = new StopSignal();

  Housekeeping(Clock clock, MeterRegistry meters, List<Task> tasks) {
    this.clock = clock;
    this.meters = meters;
    for (int i = 0; i < tasks.size(); i++) {
      start(tasks.get(i), APART.multipliedBy(i));
    }
  }

  private void start(Task task, Duration later) {
    AtomicLong success = new AtomicLong(clock.millis());
    Gauge.builder("stockroom.housekeeping.last.success", () -> success.get() / 1000.0)
        .description("When the task last succeeded, or the server started; seconds since 1970")
        .baseUnit("seconds")
        .tag("task", task.name)
        .register(meters);
    Counter failures =
        Counter.builder("stockroom.housekeeping.failures")
            .description("Failed runs of the task")
            .tag("task", task.name)
            .register(meters);
    Thread.ofVirtual()
        .name("housekeeping-" + task.name)
        .start(
            () -> {
              boolean stopped = stop.comesWithin(task.pause.plus(later));
              while (!stopped) {
                attempt(task, success, failures);
                stopped = stop.comesWithin(task.pause);
              }
            });
  }

  private void attempt(Task task, AtomicLong success, Counter failures) {
    try {
      task.chore.run();
      success.set(clock.millis());
    } catch (SQLException | RuntimeException | Error failure) {
      if (stop.isSent()) {
        return;
      }
      failures.increment();
      if (SqlFailures.isUnavailable(failure)) {
        log.warn("The maintenance task {} failed: {}", task.name, failure.getMessage());
      } else {
        log.error("The maintenance task {} failed.", task.name, failure);
      }
    }
  }

  @Override
  public void close() {
    stop.send();
  }
}
