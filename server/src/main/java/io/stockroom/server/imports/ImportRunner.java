package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.database.Database;
import io.stockroom.server.imports.ImportClaims.Heard;
import io.stockroom.server.imports.ImportJob.State;
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
 * Runs imports on this node, a few at a time and one of each merchant. Twice a second it tells the
 * database how far each has come, which renews its hold on it, hears whether it is still wanted,
 * stops what has taken too long, and looks for more.
 */
final class ImportRunner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ImportRunner.class);
  private static final int TICK_MILLIS = 500;
  private static final int MOST_AT_ONCE = 4;
  private static final int CONNECTIONS_EACH = 3;
  private static final int PATIENCE_SECONDS = 10;

  /** For people; the log has what the database said. */
  private static final String DATABASE_AWAY = "the database could not be reached";

  private final ImportRun.Tools tools;
  private final ImportClaims claims;
  private final int mostAtOnce;
  private final Duration longest;
  private final Map<UUID, ImportRun> running = new ConcurrentHashMap<>();
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("imports").factory());
  private volatile boolean closing;

  /**
   * @param longest how long one attempt may take
   */
  ImportRunner(ImportRun.Tools tools, int connections, Duration longest) {
    this.tools = tools;
    this.longest = longest;
    this.claims = tools.claims();
    this.mostAtOnce = Math.clamp(connections / CONNECTIONS_EACH, 1, MOST_AT_ONCE);
    var _ = ticker.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Looks for work now and not only at the next tick. */
  void wake() {
    if (!closing) {
      ticker.execute(this::claim);
    }
  }

  /** Ends the import if it runs here, without waiting for the next tick. */
  void stop(int importId) {
    running.values().stream()
        .filter(run -> run.job().importId() == importId)
        .forEach(ImportRunner::stop);
  }

  private void tick() {
    for (Map.Entry<UUID, ImportRun> each : running.entrySet()) {
      ImportRun run = each.getValue();
      try {
        if (run.lasted().compareTo(longest) > 0) {
          run.stopLate();
        }
        Heard heard = claims.renew(run.job(), each.getKey(), run.progress().moment());
        if (heard != Heard.GO_ON || run.progress().stopped()) {
          stop(run);
        }
      } catch (SQLException | RuntimeException failure) {
        log.warn("import {} could not tell its progress: {}", run.job().importId(), failure + "");
      }
    }
    claim();
  }

  private void claim() {
    try {
      while (!closing && running.size() < mostAtOnce) {
        UUID holder = UUID.randomUUID();
        ImportJob job = claims.claim(holder);
        if (job == null) {
          return;
        }
        ImportRun run = new ImportRun(tools, job, holder);
        running.put(holder, run);
        var _ =
            Thread.ofPlatform()
                .daemon()
                .name("import-" + job.importId())
                .start(() -> attempt(run, holder));
      }
    } catch (SQLException | RuntimeException failure) {
      log.warn("no import could be looked for: {}", failure.getMessage());
    }
  }

  private void attempt(ImportRun run, UUID holder) {
    ImportJob job = run.job();
    try {
      if (job.attempts() > ImportClaims.MOST_ATTEMPTS) {
        giveUp(run, holder, job.trouble().isEmpty() ? "its server died" : job.trouble());
      } else {
        run.run();
      }
    } catch (FileRefused | SQLException | IOException | RuntimeException | Error failure) {
      ended(run, holder, failure);
    } finally {
      running.remove(holder);
      wake();
    }
  }

  /** What is stopped may fail in any way: a statement is cancelled, a parser loses its input. */
  private void ended(ImportRun run, UUID holder, Throwable failure) {
    if (run.progress().stopped() || failure instanceof Progress.Stopped) {
      stopped(run, holder);
      return;
    }
    switch (failure) {
      case FileRefused refused ->
          end(run, holder, State.FAILED, run.report().because(refused.fault()));
      case SQLException failed -> failed(run, holder, failed);
      case PieceStream.Lost lost -> failed(run, holder, lost.failure());
      default -> broken(run, holder, failure);
    }
  }

  private void failed(ImportRun run, UUID holder, SQLException failure) {
    if (!Database.isUnavailable(failure)) {
      broken(run, holder, failure);
      return;
    }
    log.warn("import {} will be tried again: {}", run.job().importId(), failure.getMessage());
    if (run.job().attempts() >= ImportClaims.MOST_ATTEMPTS) {
      giveUp(run, holder, DATABASE_AWAY);
      return;
    }
    try {
      claims.giveBack(run.job(), holder, true, DATABASE_AWAY);
    } catch (SQLException | RuntimeException also) {
      log.warn("import {} is left to its lease: {}", run.job().importId(), also.getMessage());
    }
  }

  private void giveUp(ImportRun run, UUID holder, String trouble) {
    Fault reason =
        Fault.of(0, "", "", ErrorCode.IMPORT_GIVEN_UP, ImportClaims.MOST_ATTEMPTS, trouble);
    end(run, holder, State.FAILED, run.report().because(reason));
  }

  private void broken(ImportRun run, UUID holder, Throwable failure) {
    log.error("import {} failed", run.job().importId(), failure);
    Fault reason = Fault.of(0, "", "", ErrorCode.IMPORT_BROKEN, run.job().importId());
    end(run, holder, State.FAILED, run.report().because(reason));
  }

  /** It was cancelled or took too long, or this node ends, or another node has it. */
  private void stopped(ImportRun run, UUID holder) {
    try {
      if (closing) {
        claims.giveBack(run.job(), holder, false, "");
        return;
      }
    } catch (SQLException | RuntimeException failure) {
      log.warn("import {} is left to its lease: {}", run.job().importId(), failure.getMessage());
      return;
    }
    if (run.isLate()) {
      Fault reason = Fault.of(0, "", "", ErrorCode.IMPORT_TOO_SLOW, longest.toSeconds());
      end(run, holder, State.FAILED, run.report().because(reason));
      return;
    }
    end(run, holder, State.CANCELLED, run.report());
  }

  private void end(ImportRun run, UUID holder, State state, ImportReport report) {
    try {
      boolean _ = claims.finish(run.job(), holder, state, report, false);
    } catch (SQLException | RuntimeException failure) {
      log.warn("import {} is left to its lease: {}", run.job().importId(), failure.getMessage());
    }
  }

  private static void stop(ImportRun run) {
    try {
      run.stop();
    } catch (SQLException failure) {
      log.warn("import {} did not stop: {}", run.job().importId(), failure.getMessage());
    }
  }

  /** Gives what runs here back, for other nodes or the next start. */
  @Override
  public void close() {
    closing = true;
    ticker.shutdownNow();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!running.isEmpty() && System.nanoTime() - deadline < 0) {
      running.values().forEach(ImportRunner::stop);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
