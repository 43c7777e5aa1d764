package io.stockroom.server.imports;

import io.stockroom.protocol.Text;
import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.Database;
import io.stockroom.server.http.FileAnswer;
import io.stockroom.server.imports.ImportJob.State;
import io.stockroom.server.settings.Settings;
import io.stockroom.server.stock.Guids;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
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
  private final long mostBytes;
  private final String keepFile;
  private final String keepRejected;

  public Imports(Database database, Audit audit, Clock clock, Settings settings) {
    this.files = new StoredFiles(database);
    this.jobs = new ImportJobs(database);
    this.mostBytes = settings.get(Settings.IMPORT_MAX_FILE_SIZE);
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
            database.connections());
  }

  /** The most bytes of a file that are taken. */
  public long mostBytes() {
    return mostBytes;
  }

  public boolean merchantExists(int merchantId) throws SQLException {
    return jobs.merchantExists(merchantId);
  }

  /** Stores the file and lets it be imported; null where it is too large. */
  public @Nullable ImportJob submit(
      int merchantId,
      String name,
      InputStream content,
      boolean apply,
      boolean skipBad,
      ImportOptions options,
      Actor actor)
      throws SQLException, IOException {
    int importId = jobs.nextId();
    boolean kept = false;
    try {
      StoredFiles.Stored stored = files.store(merchantId, importId, content, mostBytes);
      if (stored == null) {
        return null;
      }
      jobs.add(merchantId, importId, name, actor, apply, skipBad, stored, options);
      kept = true;
    } finally {
      if (!kept) {
        files.delete(merchantId, importId, false);
      }
    }
    runner.wake();
    return jobs.find(merchantId, importId);
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

  /** Takes away what nobody came back for. */
  public void forgetOld() throws SQLException {
    jobs.run(
        """
        update import set state = case when state = 'planned' then 'cancelled' else state end,
          file_kept = false, finished_at = coalesce(finished_at, now())
        where file_kept and state in ('planned', 'refused', 'failed')
          and coalesce(finished_at, created_at) < now() - ?::interval
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
