package io.stockroom.files.imports;

import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.LongTransaction;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.plan.ImportTransaction;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.write.UndoWriter;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Writes back what another job changed, except what somebody has changed since. It is a job of its
 * own, so it can be undone, too.
 */
final class UndoRun extends JobRun {
  UndoRun(Tools tools, ImportJob job, UUID holder) {
    super(tools, job, holder);
  }

  @Override
  void run() throws SQLException {
    ImportJob undone =
        Objects.requireNonNull(
            tools.jobs().find(job.merchantId(), Objects.requireNonNull(job.undoes())));
    try (LongTransaction began = begin()) {
      ImportTransaction statements = statements(began);
      UndoWriter writer =
          new UndoWriter(
              statements,
              job.merchantId(),
              undone.importId(),
              Objects.requireNonNull(undone.batch()),
              progress);
      if (!writer.find()) {
        report =
            report.because(
                FileProblem.of(0, "", "", ErrorCode.IMPORT_UNDO_EXPIRED, undone.importId()));
        require(tools.claims().finish(job, holder, State.FAILED, report, false));
        return;
      }
      writer.compare(tools.uniqueBarcodes());
      List<FileProblem> kept = writer.kept(ImportErrors.MAX_STORED);
      report =
          ImportReport.of(
              writer.counts(),
              writer.warnings(),
              kept.stream().limit(ImportErrors.MAX_REPORTED).toList(),
              null);
      tools.errors().replace(job, kept);
      tools.claims().applying(job, holder, report);
      writer.write(job.importId());
      Long batch =
          writer.record(
              new Origin(
                  job.actor(),
                  ChangeSource.UNDO,
                  "products.undo",
                  "import " + undone.importId(),
                  "%d entries and %d products restored, %d left as they are"
                      .formatted(
                          report.counts().stockChanged(),
                          report.counts().changed(),
                          report.counts().failed())));
      require(
          ImportClaims.finish(
              began.connection(), job, holder, State.APPLIED, report, batch, false));
      began.commit();
    }
  }
}
