package io.stockroom.files.imports;

import io.stockroom.core.database.SqlFailures;
import io.stockroom.files.imports.ImportClaims.Renewal;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.FileRejection;
import io.stockroom.files.imports.read.PieceStream;
import io.stockroom.files.imports.read.Progress;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs imports on this node: a few at a time, and one per merchant. Twice a second it stores the
 * progress of each, which renews its lease, stops the ones that were cancelled or have taken too
 * long, and claims more.
 */
final class ImportRunner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ImportRunner.class);
  private static final int TICK_MILLIS = 500;

  /** For the imports of nodes that have no room, or have died; a node claims its own at once. */
  private static final int CLAIM_MILLIS = 2_000;

  private static final int MAX_AT_ONCE = 4;
  private static final int CONNECTIONS_EACH = 3;
  private static final int SHUTDOWN_SECONDS = 10;

  /** Shown to people; the log has the details. */
  private static final String DATABASE_AWAY = "the database could not be reached";

  private final JobRun.Tools tools;
  private final ImportClaims claims;
  private final int maxAtOnce;
  private final Duration maxDuration;
  private final Map<UUID, JobRun> running = new ConcurrentHashMap<>();
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("imports").factory());
  private volatile boolean closing;

  /**
   * @param maxDuration the maximum duration of one attempt
   */
  ImportRunner(JobRun.Tools tools, int connections, Duration maxDuration) {
    this.tools = tools;
    this.maxDuration = maxDuration;
    this.claims = tools.claims();
    this.maxAtOnce = Math.clamp(connections / CONNECTIONS_EACH, 1, MAX_AT_ONCE);
    var _ = ticker.scheduleWithFixedDelay(this::renew, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    var _ = ticker.scheduleWithFixedDelay(this::claim, 0, CLAIM_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Claims imports now instead of at the next turn. */
  void wake() {
    if (!closing) {
      ticker.execute(this::claim);
    }
  }

  /** Stops the import if it runs on this node, without waiting for the next tick. */
  void stop(int importId) {
    running.values().stream()
        .filter(run -> run.job().importId() == importId)
        .forEach(ImportRunner::stop);
  }

  private void renew() {
    for (Map.Entry<UUID, JobRun> each : running.entrySet()) {
      JobRun run = each.getValue();
      try {
        if (run.lasted().compareTo(maxDuration) > 0) {
          run.stopLate();
        }
        Renewal renewal = claims.renew(run.job(), each.getKey(), run.progress().moment());
        if (renewal != Renewal.CONTINUE || run.progress().stopped()) {
          stop(run);
        }
      } catch (SQLException | RuntimeException | Error failure) {
        log.warn("import {} could not store its progress: {}", run.job().importId(), failure + "");
      }
    }
  }

  private void claim() {
    try {
      while (!closing && running.size() < maxAtOnce) {
        UUID holder = UUID.randomUUID();
        ImportJob job = claims.claim(holder);
        if (job == null) {
          return;
        }
        JobRun run = JobRun.of(tools, job, holder);
        running.put(holder, run);
        var _ =
            Thread.ofPlatform()
                .daemon()
                .name("import-" + job.importId())
                .start(() -> attempt(run, holder));
      }
    } catch (SQLException | RuntimeException | Error failure) {
      log.warn("cannot claim imports: {}", failure.getMessage());
    }
  }

  private void attempt(JobRun run, UUID holder) {
    ImportJob job = run.job();
    try {
      if (job.attempts() > ImportClaims.MAX_ATTEMPTS) {
        giveUp(run, holder, job.trouble().isEmpty() ? "its server crashed" : job.trouble());
      } else {
        run.run();
      }
    } catch (FileRejection | SQLException | IOException | RuntimeException | Error failure) {
      ended(run, holder, failure);
    } finally {
      running.remove(holder);
      wake();
    }
  }

  /**
   * A stopped import may fail in any way: its statement is cancelled, its parser loses its input.
   */
  private void ended(JobRun run, UUID holder, Throwable failure) {
    if (run.progress().stopped() || failure instanceof Progress.Stopped) {
      stopped(run, holder);
      return;
    }
    switch (failure) {
      case FileRejection rejection ->
          end(run, holder, State.FAILED, run.report().because(rejection.problem()));
      case SQLException failed -> failed(run, holder, failed);
      case PieceStream.Lost lost -> failed(run, holder, lost.failure());
      default -> broken(run, holder, failure);
    }
  }

  private void failed(JobRun run, UUID holder, SQLException failure) {
    if (!SqlFailures.isUnavailable(failure)) {
      broken(run, holder, failure);
      return;
    }
    log.warn("import {} will be retried: {}", run.job().importId(), failure.getMessage());
    if (run.job().attempts() >= ImportClaims.MAX_ATTEMPTS) {
      giveUp(run, holder, DATABASE_AWAY);
      return;
    }
    try {
      claims.giveBack(run.job(), holder, true, DATABASE_AWAY);
    } catch (SQLException | RuntimeException also) {
      log.warn(
          "import {} waits for its lease to expire: {}", run.job().importId(), also.getMessage());
    }
  }

  private void giveUp(JobRun run, UUID holder, String trouble) {
    FileProblem reason =
        FileProblem.of(0, "", "", ErrorCode.IMPORT_GIVEN_UP, ImportClaims.MAX_ATTEMPTS, trouble);
    end(run, holder, State.FAILED, run.report().because(reason));
  }

  private void broken(JobRun run, UUID holder, Throwable failure) {
    log.error("import {} failed", run.job().importId(), failure);
    FileProblem reason = FileProblem.of(0, "", "", ErrorCode.IMPORT_BROKEN, run.job().importId());
    end(run, holder, State.FAILED, run.report().because(reason));
  }

  /**
   * It was cancelled, took too long, this node is shutting down, or another node has taken over.
   */
  private void stopped(JobRun run, UUID holder) {
    try {
      if (closing) {
        claims.giveBack(run.job(), holder, false, "");
        return;
      }
    } catch (SQLException | RuntimeException failure) {
      log.warn(
          "import {} waits for its lease to expire: {}",
          run.job().importId(),
          failure.getMessage());
      return;
    }
    if (run.isLate()) {
      FileProblem reason =
          FileProblem.of(0, "", "", ErrorCode.IMPORT_TOO_SLOW, maxDuration.toSeconds());
      end(run, holder, State.FAILED, run.report().because(reason));
      return;
    }
    end(run, holder, State.CANCELLED, run.report());
  }

  private void end(JobRun run, UUID holder, State state, ImportReport report) {
    try {
      boolean _ = claims.finish(run.job(), holder, state, report, false);
    } catch (SQLException | RuntimeException failure) {
      log.warn(
          "import {} waits for its lease to expire: {}",
          run.job().importId(),
          failure.getMessage());
    }
  }

  private static void stop(JobRun run) {
    try {
      run.stop();
    } catch (SQLException failure) {
      log.warn("import {} did not stop: {}", run.job().importId(), failure.getMessage());
    }
  }

  /** Returns running imports to the queue, for other nodes or the next start. */
  @Override
  public void close() {
    closing = true;
    ticker.shutdownNow();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHUTDOWN_SECONDS);
    while (!running.isEmpty() && System.nanoTime() - deadline < 0) {
      running.values().forEach(ImportRunner::stop);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
