package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.Database;
import io.stockroom.server.database.LongTransaction;
import io.stockroom.server.imports.ImportJob.State;
import io.stockroom.server.stock.Guids;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one import, from the stored file to its end. It reads into temporary tables,
 * compares, and writes, in one transaction: all of it happens or nothing.
 */
final class ImportRun {
  private static final int LOOKS_EVERY = 256;

  /** What imports are made with. */
  record Tools(
      Database database,
      Audit audit,
      StoredFiles files,
      ImportJobs jobs,
      ImportClaims claims,
      Guids guids,
      boolean uniqueBarcodes) {}

  private final Tools tools;
  private final ImportJob job;
  private final UUID holder;
  private final Progress progress = new Progress();
  private final long begunNanos = System.nanoTime();
  private volatile boolean late;
  private @Nullable LongTransaction transaction;
  private ImportReport report = ImportReport.EMPTY;

  ImportRun(Tools tools, ImportJob job, UUID holder) {
    this.tools = tools;
    this.job = job;
    this.holder = holder;
  }

  ImportJob job() {
    return job;
  }

  Progress progress() {
    return progress;
  }

  /** How long this attempt has been going on. */
  Duration lasted() {
    return Duration.ofNanos(System.nanoTime() - begunNanos);
  }

  /** Whether it was stopped because it took too long. */
  boolean isLate() {
    return late;
  }

  /** As {@link #stop}, because it takes too long. */
  void stopLate() throws SQLException {
    late = true;
    stop();
  }

  /** What was found until it ended or failed. */
  ImportReport report() {
    return report;
  }

  /** Makes it end soon, also in the middle of a statement; for any thread. */
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

  void run() throws SQLException, IOException, FileRefused {
    ImportFile file = ImportFile.of(tools.files, job, progress);
    try (RowSource source = open(file);
        LongTransaction began = tools.database.begin()) {
      synchronized (this) {
        transaction = began;
      }
      report = report.withSource(described(file, source), source.ignored());
      Sql sql = new Sql(began.connection(), progress);
      // its statements run once each, over tables of any size: a plan made for anything fits
      // nothing
      sql.runAll("set local work_mem = '64MB'; set local plan_cache_mode = auto");
      try (Staging staging = Staging.begin(source, began.connection(), tools.guids)) {
        read(file, source, staging);
        report = report.withSource(described(file, source), source.ignored());
        if (source.rows() == 0) {
          throw FileRefused.of(ErrorCode.FILE_WITHOUT_ROWS, file.name());
        }
        tools.jobs.rememberColumns(job.merchantId(), job.options().columns());
        finish(file, source, staging, sql, began);
      }
    }
  }

  /** Where the header will not do, its columns are noted for those who can say what they mean. */
  private RowSource open(ImportFile file) throws SQLException, IOException, FileRefused {
    Map<String, String> remembered = tools.jobs.rememberedColumns(job.merchantId());
    try {
      return file.source(remembered);
    } catch (FileRefused unfit) {
      List<List<String>> sample = file.sample();
      List<ImportReport.SourceColumn> columns =
          sample.isEmpty()
              ? List.of()
              : Columns.each(sample.getFirst(), job.options().columns(), remembered);
      report = report.withSource(described(file, 0, columns), List.of());
      throw unfit;
    }
  }

  private void read(ImportFile file, RowSource source, Staging staging)
      throws SQLException, IOException, FileRefused {
    long total = file.total();
    int since = 0;
    for (ProductRow row = source.next(); row != null; row = source.next()) {
      staging.add(row);
      if (++since == LOOKS_EVERY) {
        since = 0;
        progress.at("reading", file.read(), total, "bytes");
      }
    }
    staging.finish();
    progress.at("reading", total, total, "bytes");
  }

  private void finish(
      ImportFile file, RowSource source, Staging staging, Sql sql, LongTransaction began)
      throws SQLException, IOException, FileRefused {
    Comparison comparison =
        new Comparison(sql, job.merchantId(), source, staging, tools.uniqueBarcodes, progress);
    comparison.advance();
    if (job.apply()) {
      CatalogueWriter.hold(sql, job.merchantId());
    }
    comparison.run();
    report = compared(comparison, source, staging, sql);
    comparison.advance();
    boolean bad = report.counts().failed() > 0;
    if (bad) {
      try (OutputStream rejected = tools.files.replaceRejected(job.merchantId(), job.importId())) {
        new RejectedRows(file, source, job.options().language(), progress)
            .write(began.connection(), rejected);
      }
    }
    if (!job.apply() || (bad && !job.skipBad())) {
      State state = job.apply() ? State.REFUSED : State.PLANNED;
      require(tools.claims.finish(job, holder, state, report, bad));
      return;
    }
    tools.claims.applying(job, holder, report);
    ProductIds ids = new ProductIds(tools.database, job.merchantId());
    new CatalogueWriter(sql, job.merchantId(), job.actor(), comparison.fields(), ids, progress)
        .write(report.counts());
    ImportReport.Counts counts = report.counts();
    tools.audit.add(
        began.connection(),
        job.merchantId(),
        job.actor(),
        "products.import",
        "products",
        "%d created, %d changed, %d unchanged, %d failed"
            .formatted(counts.created(), counts.changed(), counts.unchanged(), counts.failed()));
    require(ImportClaims.finish(began.connection(), job, holder, State.APPLIED, report, bad));
    began.commit();
  }

  /** What is not ours any more, or not wanted any more, must not take effect. */
  private static void require(boolean ours) {
    if (!ours) {
      throw new Progress.Stopped();
    }
  }

  private ImportReport compared(Comparison comparison, RowSource source, Staging staging, Sql sql)
      throws SQLException {
    Findings findings = new Findings(sql, job.merchantId(), source, comparison.fields());
    return new ImportReport(
        report.source(),
        comparison.counts(),
        findings.differences(),
        findings.warnings(comparison.sharedBarcodes(), staging.mixedScripts()),
        findings.faults(),
        staging.removed().stream()
            .map(
                each ->
                    new ImportReport.Removal(
                        source.shownRow(each.row()), each.artNo(), each.what()))
            .toList(),
        staging.removedTotal(),
        report.ignored(),
        null);
  }

  private static ImportReport.Source described(ImportFile file, RowSource source) {
    Columns columns = source.columns();
    return described(
        file,
        source.rows(),
        columns == null
            ? List.of()
            : columns.all().stream()
                .map(each -> new ImportReport.SourceColumn(each.name(), each.meaning()))
                .toList());
  }

  private static ImportReport.Source described(
      ImportFile file, int rows, List<ImportReport.SourceColumn> columns) {
    Detection detection = file.detection();
    return new ImportReport.Source(
        detection.format().word(),
        detection.format() == Detection.Format.XLSX ? null : detection.encoding(),
        detection.shownDelimiter(),
        rows,
        columns,
        file.sample());
  }
}
