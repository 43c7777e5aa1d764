package io.stockroom.files.imports;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.FileAnswer;
import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.core.database.Cells;
import io.stockroom.core.settings.FileSize;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.stock.BulkEdit;
import io.stockroom.core.stock.Guids;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.plan.ImportReport.Counts;
import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.FileRejection;
import io.stockroom.files.imports.read.ImportFile;
import io.stockroom.files.imports.read.ImportOptions;
import io.stockroom.files.imports.read.ProductRow;
import io.stockroom.files.imports.read.Progress;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Text;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Imports files of products. A file is stored first; then this node or another one plans it and, if
 * asked to, applies it.
 */
public final class Imports implements AutoCloseable {
  private static final int MAX_LISTED = 100;

  /** How many rows of a file are read before its job is queued. */
  private static final int ROWS_LOOKED_AT = 100;

  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(10);

  private final Cells cells;
  private final StoredFiles files;
  private final ImportJobs jobs;
  private final ImportMemory memory;
  private final ImportErrors errors;
  private final ImportRunner runner;
  private final ImportQuota quota;
  private final long maxBytes;
  private final ImportRetention retention;

  /**
   * @param pictures stores the embedded pictures of a merchant
   */
  public Imports(
      Cells cells, Clock clock, Settings settings, IntFunction<EmbeddedPictures> pictures) {
    this.cells = cells;
    this.files = new StoredFiles(cells);
    this.jobs = new ImportJobs(cells);
    this.memory = new ImportMemory(cells);
    this.errors = new ImportErrors(cells);
    this.maxBytes = settings.get(Settings.IMPORT_MAX_FILE_SIZE);
    this.quota =
        new ImportQuota(
            cells, settings.get(Settings.IMPORT_MAX_OPEN), settings.get(Settings.IMPORT_MAX_BYTES));
    this.retention =
        new ImportRetention(
            cells,
            settings.get(Settings.IMPORT_KEEP_PLANNED),
            settings.get(Settings.IMPORT_KEEP_FILE),
            settings.get(Settings.IMPORT_KEEP_REJECTED));
    this.runner =
        new ImportRunner(
            new JobRun.Tools(
                cells,
                files,
                jobs,
                errors,
                new ImportClaims(cells),
                new Guids(clock),
                settings.get(Settings.BARCODE_UNIQUE),
                pictures),
            cells.directory().connections(),
            settings.get(Settings.IMPORT_MAX_DURATION));
  }

  /** The maximum size of a file. */
  public long maxBytes() {
    return maxBytes;
  }

  public boolean merchantExists(int merchantId) throws SQLException {
    return jobs.merchantExists(merchantId);
  }

  /** The merchant's usage of its quota. */
  public ImportUse use(int merchantId) throws SQLException {
    return quota.use(merchantId);
  }

  /**
   * Rejects a file that is too large, exceeds the quota, or is for a closed merchant, before it is
   * sent.
   *
   * @param bytes its size; negative if it is unknown
   */
  public void check(int merchantId, long bytes) throws SQLException, JobRejection {
    if (bytes > maxBytes) {
      throw new JobRejection(ErrorCode.FILE_TOO_LARGE, FileSize.shown(maxBytes));
    }
    Instant closedAt = jobs.closedAt(merchantId);
    if (closedAt != null) {
      throw new JobRejection(ErrorCode.MERCHANT_CLOSED, merchantId, closedAt);
    }
    quota.check(merchantId, bytes);
  }

  /** A stored file that no job has yet. */
  public record Upload(int merchantId, int importId, long bytes, String encoding) {}

  /** What to do with a file. */
  public record Order(
      String name, boolean apply, boolean skipBad, ImportOptions options, Actor actor) {}

  /** Stores the file and queues its import. */
  public ImportJob submit(
      int merchantId,
      String name,
      InputStream content,
      boolean apply,
      boolean skipBad,
      ImportOptions options,
      Actor actor)
      throws SQLException, IOException, JobRejection {
    quota.check(merchantId, -1);
    Upload upload = store(merchantId, content);
    Order order = new Order(name, apply, skipBad, options, actor);
    boolean kept = false;
    try {
      kept =
          cells
              .of(merchantId)
              .write(connection -> ImportJobs.add(connection, quota, upload, order));
      if (!kept) {
        throw quota.tooManyOpen(merchantId);
      }
    } finally {
      settle(upload, kept);
    }
    return Objects.requireNonNull(jobs.find(merchantId, upload.importId()));
  }

  /** Stores a file while it arrives; {@link #settle} must follow. */
  public Upload store(int merchantId, InputStream content)
      throws SQLException, IOException, JobRejection {
    int importId = jobs.nextId();
    boolean stored = false;
    try {
      StoredFiles.Stored file = files.store(merchantId, importId, content, maxBytes, quota);
      stored = true;
      return new Upload(merchantId, importId, file.bytes(), file.encoding());
    } finally {
      if (!stored) {
        files.delete(merchantId, importId, false);
      }
    }
  }

  /**
   * What the first rows of a stored file show to be impossible: that it is empty, or has product
   * fields although it may only change stock. Null if the job finds out the rest.
   */
  public @Nullable Problem problem(Upload upload, Order order) throws SQLException, IOException {
    boolean isForStock = order.options().stockOnly();
    try {
      ImportFile file = ImportFile.of(files.file(upload, order), new Progress());
      if (isForStock && hasProductFields(file, upload.merchantId(), order.options())) {
        return Problem.of("", ErrorCode.IMPORT_SCOPE, Scope.PRODUCT_WRITE.word());
      }
      return null;
    } catch (FileRejection rejection) {
      return rejection.problem().code() == ErrorCode.FILE_EMPTY
          ? Problem.of("", ErrorCode.FILE_EMPTY, order.name())
          : null;
    }
  }

  private boolean hasProductFields(ImportFile file, int merchantId, ImportOptions options)
      throws SQLException, IOException, FileRejection {
    Map<String, String> remembered = options.headerless() ? Map.of() : memory.columns(merchantId);
    try (RowSource source = file.source(remembered, memory.choices(merchantId, options))) {
      for (int i = 0; i < ROWS_LOOKED_AT; i++) {
        ProductRow row = source.next();
        if (row == null) {
          return false;
        }
        if (!row.images.isEmpty() || (row.values != null && !row.values.isEmpty())) {
          return true;
        }
      }
      return false;
    }
  }

  /** Queues the import of a stored file in the caller's transaction. */
  public void queue(Connection connection, Upload upload, Order order)
      throws SQLException, JobRejection {
    if (!ImportJobs.add(connection, quota, upload, order)) {
      throw quota.tooManyOpen(upload.merchantId());
    }
  }

  /** Starts the import of a file, or deletes the file if it has none. */
  public void settle(Upload upload, boolean queued) throws SQLException {
    if (queued) {
      runner.wake();
    } else {
      files.delete(upload.merchantId(), upload.importId(), false);
    }
  }

  public @Nullable ImportJob find(int merchantId, int importId) throws SQLException {
    return jobs.find(merchantId, importId);
  }

  /** Lists imports, the newest first. */
  public List<ImportJob> newest(@Nullable Integer merchantId, @Nullable State state)
      throws SQLException {
    return jobs.newest(merchantId, state, MAX_LISTED);
  }

  /** Imports of a merchant that wait for a person to apply or discard them, the newest first. */
  public List<ImportJob> awaitingConfirmation(int merchantId, int max) throws SQLException {
    return jobs.newest(merchantId, State.PLANNED, max);
  }

  /**
   * A page of imports with their counts, the newest first.
   *
   * @param before the page begins with the import before this one; 0 for the newest
   */
  public List<ImportJob> page(@Nullable Integer merchantId, int before, int max)
      throws SQLException {
    return jobs.summaries(merchantId, before, max);
  }

  /** The fields that a column can hold, besides a size. */
  public static List<String> fields() {
    return Field.NAMES;
  }

  /** Plans again with other options; false if the state has changed in the meantime. */
  public boolean plan(ImportJob job, ImportOptions options) throws SQLException {
    boolean again = jobs.again(job, false, job.skipBad(), options);
    runner.wake();
    return again;
  }

  /** Applies the plan; false if the state has changed in the meantime. */
  public boolean apply(ImportJob job, boolean skipBad) throws SQLException {
    boolean again = jobs.again(job, true, skipBad, job.options());
    runner.wake();
    return again;
  }

  /**
   * Queues a job that writes back what an applied job changed, except what somebody has changed
   * since. The new job can be undone, too.
   */
  public ImportJob undo(ImportJob job, Language language, Actor actor)
      throws SQLException, JobRejection {
    if (job.state() != State.APPLIED) {
      throw new JobRejection(
          ErrorCode.IMPORT_STATE, job.importId(), job.state().word(), State.APPLIED.word());
    }
    if (job.batch() == null) {
      throw new JobRejection(ErrorCode.IMPORT_UNCHANGED, job.importId());
    }
    int importId = jobs.nextId();
    if (!jobs.addUndo(job, importId, actor, ImportOptions.in(language))) {
      throw new JobRejection(ErrorCode.IMPORT_UNDONE, job.importId());
    }
    runner.wake();
    return Objects.requireNonNull(jobs.find(job.merchantId(), importId));
  }

  /**
   * What became of a bulk edit.
   *
   * @param jobId the job that it is stored as; 0 if nothing was written
   */
  public record Edited(BulkEdit.Outcome outcome, int jobId) {}

  /**
   * Writes a bulk edit at once, and stores it as a job that can be undone.
   *
   * @param seen what its preview was based on
   */
  public Edited edit(
      int merchantId,
      BulkEdit edits,
      BulkEdit.Request request,
      long seen,
      String name,
      Language language,
      Actor actor)
      throws SQLException {
    int importId = jobs.nextId();
    return cells
        .of(merchantId)
        .write(
            connection -> {
              BulkEdit.Outcome outcome = edits.apply(connection, merchantId, request, seen, actor);
              if (!(outcome instanceof BulkEdit.Outcome.Applied(BulkEdit.Plan plan, long batch))) {
                return new Edited(outcome, 0);
              }
              Counts counts =
                  new Counts(
                      0,
                      plan.products(),
                      0,
                      0,
                      plan.created(),
                      plan.lines().size() - plan.created(),
                      plan.unchanged());
              ImportJobs.addEdit(
                  connection,
                  merchantId,
                  importId,
                  batch,
                  name,
                  actor,
                  ImportOptions.in(language),
                  ImportReport.EMPTY.with(counts));
              return new Edited(outcome, importId);
            });
  }

  /** A page of what was wrong with the rows of a job; the first page is 1. */
  public ImportErrors.Page errors(ImportJob job, int page) throws SQLException {
    return errors.page(job.merchantId(), job.importId(), page);
  }

  /** Cancels an import and waits until it has ended; false if it had already ended. */
  public boolean cancel(int merchantId, int importId) throws SQLException {
    if (!jobs.cancel(merchantId, importId)) {
      return false;
    }
    runner.stop(importId);
    var _ = await(merchantId, importId, CANCEL_TIMEOUT);
    return true;
  }

  /** Waits until the import is idle, at most {@code timeout}; returns its current state. */
  public @Nullable ImportJob await(int merchantId, int importId, Duration timeout)
      throws SQLException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      ImportJob job = jobs.find(merchantId, importId);
      if (job == null || job.state().resting() || System.nanoTime() - deadline > 0) {
        return job;
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  /** The rejected rows of an import that has some. */
  public FileAnswer rejected(ImportJob job) {
    ImportReport.Source source = job.report().source();
    String ending = source == null ? "csv" : source.format();
    return new FileAnswer(
        mediaType(ending),
        "import-" + job.importId() + ".rejected." + ending,
        to -> {
          try (InputStream rejected = files.rejected(job.merchantId(), job.importId())) {
            var _ = rejected.transferTo(to);
          }
          return null;
        });
  }

  private static String mediaType(String ending) {
    return switch (ending) {
      case "xlsx" -> "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
      case "jsonl" -> "application/jsonl";
      default -> "text/csv";
    };
  }

  /** The file's name, or {@code products} if it is not a valid name. */
  public static String name(@Nullable String given) {
    try {
      return given == null ? "products" : Text.name(given, 255);
    } catch (IllegalArgumentException noName) {
      return "products";
    }
  }

  /**
   * Marks the files of all imports in a restored database as deleted, because backups do not
   * include files. Works with every schema version.
   */
  public static void loseFiles(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          """
          update import set file_kept = false, rejected = false, holder = null, lease_until = null,
            state = 'failed', finished_at = coalesce(finished_at, now()),
            report = report || jsonb_build_object('reason', jsonb_build_object('row', 0,
              'column', '', 'value', '', 'code', 'IMPORT_FILE_GONE',
              'arguments', jsonb_build_array(import_id::text)))
          where state in ('waiting', 'planning', 'planned', 'applying')
          """);
      statement.executeUpdate(
          "update import set file_kept = false, rejected = false where file_kept or rejected");
    }
  }

  /** Deletes files, rejected rows and imports whose retention time has passed. */
  public void forgetOld() throws SQLException {
    retention.run();
  }

  @Override
  public void close() {
    runner.close();
  }
}
