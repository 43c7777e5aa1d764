package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.call.FileAnswer;
import io.stockroom.server.database.Database;
import io.stockroom.server.imports.ImportJob.State;
import io.stockroom.server.settings.FileSize;
import io.stockroom.server.settings.Settings;
import io.stockroom.server.stock.Guids;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Files of products on their way in. A file is stored first; then it is planned and, where asked
 * for, applied, on this node or another.
 */
public final class Imports implements AutoCloseable {
  private static final int MOST_LISTED = 100;
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);
  private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(10);

  private final StoredFiles files;
  private final ImportJobs jobs;
  private final ImportRunner runner;
  private final ImportQuota quota;
  private final long mostBytes;
  private final String keepPlanned;
  private final String keepFile;
  private final String keepRejected;

  public Imports(Database database, Audit audit, Clock clock, Settings settings) {
    this.files = new StoredFiles(database);
    this.jobs = new ImportJobs(database);
    this.mostBytes = settings.get(Settings.IMPORT_MAX_FILE_SIZE);
    this.quota =
        new ImportQuota(
            database,
            settings.get(Settings.IMPORT_MAX_OPEN),
            settings.get(Settings.IMPORT_MAX_BYTES));
    this.keepPlanned = settings.get(Settings.IMPORT_KEEP_PLANNED).toString();
    this.keepFile = settings.get(Settings.IMPORT_KEEP_FILE).toString();
    this.keepRejected = settings.get(Settings.IMPORT_KEEP_REJECTED).toString();
    this.runner =
        new ImportRunner(
            new ImportRun.Tools(
                database,
                audit,
                files,
                jobs,
                new ImportClaims(database, jobs),
                new Guids(clock),
                settings.get(Settings.BARCODE_UNIQUE)),
            database.connections(),
            settings.get(Settings.IMPORT_MAX_DURATION));
  }

  /** The most bytes of a file that are taken. */
  public long mostBytes() {
    return mostBytes;
  }

  public boolean merchantExists(int merchantId) throws SQLException {
    return jobs.merchantExists(merchantId);
  }

  /** How much of what it may have open and stored a merchant has. */
  public ImportUse use(int merchantId) throws SQLException {
    return quota.use(merchantId);
  }

  /**
   * Refuses, before it is sent, a file that would not be taken.
   *
   * @param bytes how many it has; less than 0 where that is not known
   */
  public void check(int merchantId, long bytes) throws SQLException, UploadRefused {
    if (bytes > mostBytes) {
      throw new UploadRefused(ErrorCode.FILE_TOO_LARGE, FileSize.shown(mostBytes));
    }
    quota.check(merchantId, bytes);
  }

  /** Stores the file and lets it be imported. */
  public ImportJob submit(
      int merchantId,
      String name,
      InputStream content,
      boolean apply,
      boolean skipBad,
      ImportOptions options,
      Actor actor)
      throws SQLException, IOException, UploadRefused {
    quota.check(merchantId, -1);
    int importId = jobs.nextId();
    boolean kept = false;
    try {
      StoredFiles.Stored stored = files.store(merchantId, importId, content, mostBytes, quota);
      kept = jobs.add(quota, merchantId, importId, name, actor, apply, skipBad, stored, options);
      if (!kept) {
        throw quota.tooManyOpen(merchantId);
      }
    } finally {
      if (!kept) {
        files.delete(merchantId, importId, false);
      }
    }
    runner.wake();
    return Objects.requireNonNull(jobs.find(merchantId, importId));
  }

  public @Nullable ImportJob find(int merchantId, int importId) throws SQLException {
    return jobs.find(merchantId, importId);
  }

  /** The newest first. */
  public List<ImportJob> newest(@Nullable Integer merchantId, @Nullable State state)
      throws SQLException {
    return jobs.newest(merchantId, state, MOST_LISTED);
  }

  /**
   * A page of imports with their counts, the newest first.
   *
   * @param before the import before which the page begins; 0: the newest
   */
  public List<ImportJob> page(@Nullable Integer merchantId, int before, int most)
      throws SQLException {
    return jobs.summaries(merchantId, before, most);
  }

  /** What a column can mean, beside a size. */
  public static List<String> fields() {
    return Field.NAMES;
  }

  /** Plans again, by other options; false where the import has moved on meanwhile. */
  public boolean plan(ImportJob job, ImportOptions options) throws SQLException {
    boolean again = jobs.again(job, false, job.skipBad(), options);
    runner.wake();
    return again;
  }

  /** Applies what was planned; false where the import has moved on meanwhile. */
  public boolean apply(ImportJob job, boolean skipBad) throws SQLException {
    boolean again = jobs.again(job, true, skipBad, job.options());
    runner.wake();
    return again;
  }

  /** Ends an import and waits for its end; false where it had ended already. */
  public boolean cancel(int merchantId, int importId) throws SQLException {
    if (!jobs.cancel(merchantId, importId)) {
      return false;
    }
    runner.stop(importId);
    var _ = await(merchantId, importId, CANCEL_PATIENCE);
    return true;
  }

  /** The import when it rests, or as it is when {@code patience} is over. */
  public @Nullable ImportJob await(int merchantId, int importId, Duration patience)
      throws SQLException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      ImportJob job = jobs.find(merchantId, importId);
      if (job == null || job.state().resting() || System.nanoTime() - deadline > 0) {
        return job;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  /** The file of rejected rows, of an import that has one. */
  public FileAnswer rejected(ImportJob job) {
    ImportReport.Source source = job.report().source();
    String ending = source == null ? "csv" : source.format();
    return new FileAnswer(
        mediaType(ending),
        "import-" + job.importId() + ".rejected." + ending,
        to -> {
          try (InputStream rejected =
              files.open(job.merchantId(), job.importId(), true, () -> {})) {
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

  /** A file's name as it is kept; what cannot be a name becomes {@code products}. */
  public static String name(@Nullable String given) {
    try {
      return given == null ? "products" : Text.name(given, 255);
    } catch (IllegalArgumentException noName) {
      return "products";
    }
  }

  /**
   * Says of every import in a restored database that its file is gone: backups leave files out.
   * Also where the tables are still those of the first version with imports.
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

  /** Takes away what nobody came back for. */
  public void forgetOld() throws SQLException {
    jobs.run(
        """
        update import set state = 'expired', file_kept = false, rejected = false,
          finished_at = now()
        where state = 'planned' and coalesce(begun_at, created_at) < now() - ?::interval
        """,
        keepPlanned);
    jobs.run(
        """
        update import set file_kept = false
        where file_kept and state in ('refused', 'failed')
          and finished_at < now() - ?::interval
        """,
        keepFile);
    jobs.run(
        "update import set rejected = false where rejected and finished_at < now() - ?::interval",
        keepRejected);
    jobs.run(
        """
        delete from import_piece p using import i
        where i.merchant_id = p.merchant_id and i.import_id = p.import_id
          and (p.rejected and not i.rejected or not p.rejected and not i.file_kept)
          and i.state not in ('waiting', 'planning', 'applying')
        """);
    jobs.run(
        """
        delete from import_piece p where stored_at < now() - interval '1 day' and not exists (
          select 1 from import i where i.merchant_id = p.merchant_id and i.import_id = p.import_id)
        """);
    jobs.run(
        """
        delete from import where finished_at < now() - interval '90 days'
          and not file_kept and not rejected
        """);
  }

  @Override
  public void close() {
    runner.close();
  }
}
