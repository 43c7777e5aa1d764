package io.stockroom.files.imports;

import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.LongTransaction;
import io.stockroom.core.stock.Guids;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.plan.ImportTransaction;
import io.stockroom.files.imports.read.FileRejection;
import io.stockroom.files.imports.read.Progress;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one job. A job changes everything in one transaction, whose last statement ends
 * the job and checks that this node still holds it.
 */
abstract class JobRun {
  /** The services that every job uses. */
  record Tools(
      Cells cells,
      StoredFiles files,
      ImportJobs jobs,
      ImportErrors errors,
      ImportClaims claims,
      Guids guids,
      boolean uniqueBarcodes,
      IntFunction<EmbeddedPictures> pictures) {}

  final Tools tools;
  final ImportJob job;
  final UUID holder;
  final Progress progress = new Progress();

  /** The report so far. */
  ImportReport report = ImportReport.EMPTY;

  private final long begunNanos = System.nanoTime();
  private volatile boolean late;
  private @Nullable LongTransaction transaction;

  JobRun(Tools tools, ImportJob job, UUID holder) {
    this.tools = tools;
    this.job = job;
    this.holder = holder;
  }

  /** The attempt that a job of its kind needs. */
  static JobRun of(Tools tools, ImportJob job, UUID holder) {
    return switch (job.kind()) {
      case IMPORT -> new ImportRun(tools, job, holder);
      case UNDO -> new UndoRun(tools, job, holder);
      case EDIT -> throw new IllegalStateException("an edit is never queued");
    };
  }

  /** Runs the job and stores how it ended. */
  abstract void run() throws SQLException, IOException, FileRejection;

  ImportJob job() {
    return job;
  }

  Progress progress() {
    return progress;
  }

  ImportReport report() {
    return report;
  }

  /** The duration of this attempt so far. */
  Duration lasted() {
    return Duration.ofNanos(System.nanoTime() - begunNanos);
  }

  /** Whether it was stopped because it took too long. */
  boolean isLate() {
    return late;
  }

  /** Stops it because it took too long. */
  void stopLate() throws SQLException {
    late = true;
    stop();
  }

  /** Stops it soon, even in the middle of a statement. Any thread may call this. */
  void stop() throws SQLException {
    progress.stop();
    LongTransaction running;
    synchronized (this) {
      running = transaction;
    }
    if (running != null) {
      running.cancelStatement();
    }
  }

  /** Begins the transaction of the job. */
  LongTransaction begin() throws SQLException {
    LongTransaction began = tools.cells.of(job.merchantId()).begin();
    synchronized (this) {
      transaction = began;
    }
    return began;
  }

  ImportTransaction statements(LongTransaction began) throws SQLException {
    ImportTransaction statements = new ImportTransaction(began.connection(), progress);
    // temporary tables need few statistics
    statements.execute("set local work_mem = '64MB'; set local default_statistics_target = 10");
    return statements;
  }

  /** A job that was cancelled or taken over by another node must not take effect. */
  static void require(boolean ours) {
    if (!ours) {
      throw new Progress.Stopped();
    }
  }
}
