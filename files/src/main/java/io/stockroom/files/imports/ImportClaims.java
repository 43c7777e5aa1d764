package io.stockroom.files.imports;

import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.read.Progress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Leases: a node claims an import, renews its lease while it works, and only the holder of the
 * lease can finish the import.
 */
final class ImportClaims {
  static final int MAX_ATTEMPTS = 3;
  private static final String LEASE = "interval '8 seconds'";
  private static final String RETRY_AFTER = "interval '3 seconds'";
  private static final String DUPLICATE = "23505";

  /** The merchant whose last import began longest ago is next, with its oldest import. */
  private static final Sql CLAIM =
      Sql.of(
          """
          update import i set state = 'planning', holder = :holder, attempts = attempts + 1,
            begun_at = clock_timestamp(), phase_at = clock_timestamp(), lease_until = now() + %s, done = 0, total = bytes,
            phase = case kind when 'import' then 'reading' else 'comparing' end,
            unit = case kind when 'import' then 'bytes' else 'products' end
          from (
            select merchant_id, import_id from import w
            where (state = 'waiting' or state in ('planning', 'applying'))
              and (lease_until is null or lease_until < now())
              and merchant_id <> all (%s)
              and not exists (
                select 1 from import o
                where o.merchant_id = w.merchant_id and o.import_id <> w.import_id
                  and o.state in ('planning', 'applying'))
            order by (
              select max(begun_at) from import b where b.merchant_id = w.merchant_id
            ) nulls first, import_id
            limit 1 for no key update skip locked
          ) c
          where i.merchant_id = c.merchant_id and i.import_id = c.import_id
          returning i.merchant_id, i.import_id
          """
              .formatted(LEASE, AbsentMerchants.ARRAY));

  private static final Sql RENEW =
      Sql.of(
          """
          update import set lease_until = now() + %s, done = :done, total = :total, unit = :unit,
            phase_at = case when phase = :phase then phase_at else clock_timestamp() end,
            phase = :phase
          where merchant_id = :merchantId and import_id = :importId and holder = :holder
            and state in ('planning', 'applying')
          returning cancel
          """
              .formatted(LEASE));
  private static final Sql APPLYING =
      Sql.of(
          """
          update import set state = 'applying', report = :report::jsonb
          where merchant_id = :merchantId and import_id = :importId and holder = :holder
          """);
  private static final Sql FINISH =
      Sql.of(
          """
          update import set state = :state, report = :report::jsonb, rejected = :rejected,
            file_kept = :keeps and file_kept, batch = :batch, holder = null, lease_until = null, trouble = '', done = total,
            finished_at = case when :state = 'planned' then null else clock_timestamp() end
          where merchant_id = :merchantId and import_id = :importId and holder = :holder
            and (not cancel or :state in ('cancelled', 'failed'))
          """);
  private static final Sql DELETE_FILE =
      Sql.of(
          """
          delete from import_piece
          where merchant_id = :merchantId and import_id = :importId
            and (not rejected or not :keepRejected)
          """);
  private static final Sql GIVE_BACK =
      Sql.of(
          """
          update import set state = 'waiting', holder = null, trouble = :trouble,
            lease_until = case when :counts then now() + %s end,
            attempts = case when :counts then attempts else attempts - 1 end
          where merchant_id = :merchantId and import_id = :importId and holder = :holder
          """
              .formatted(RETRY_AFTER));

  private final Cells cells;

  ImportClaims(Cells cells) {
    this.cells = cells;
  }

  /**
   * Claims an import that is waiting or whose lease has expired; null if there is none. A
   * merchant's imports run one after the other, and merchants take turns.
   */
  @Nullable ImportJob claim(UUID holder) throws SQLException {
    return cells.first(database -> claim(database, holder));
  }

  private static @Nullable ImportJob claim(Database database, UUID holder) throws SQLException {
    try {
      return database.write(
          connection ->
              CLAIM
                  .on(connection)
                  .set("holder", holder)
                  .first(
                      row ->
                          ImportJobs.find(
                              connection, row.getInt("merchant_id"), row.getInt("import_id"))));
    } catch (SQLException failure) {
      if (DUPLICATE.equals(failure.getSQLState())) {
        // another node claimed another import of the same merchant at the same time
        return null;
      }
      throw failure;
    }
  }

  /** The answer to a renewal. */
  enum Renewal {
    CONTINUE,
    CANCEL,
    LOST
  }

  /** Renews the lease and stores the progress. */
  Renewal renew(ImportJob job, UUID holder, Progress.Moment moment) throws SQLException {
    Renewal renewal =
        cells
            .of(job.merchantId())
            .write(
                connection ->
                    held(RENEW, connection, job, holder)
                        .set("phase", moment.phase())
                        .set("done", moment.done())
                        .set("total", moment.total())
                        .set("unit", moment.unit())
                        .first(
                            row -> row.getBoolean("cancel") ? Renewal.CANCEL : Renewal.CONTINUE));
    return renewal == null ? Renewal.LOST : renewal;
  }

  /** Stores the plan, and that the import is being applied now. */
  void applying(ImportJob job, UUID holder, ImportReport report) throws SQLException {
    cells
        .of(job.merchantId())
        .write(
            connection ->
                held(APPLYING, connection, job, holder).set("report", report.json()).update());
  }

  /**
   * Finishes a job in the caller's transaction; false if the holder has lost its lease.
   *
   * @param batch the batch of its changes in the log; null if there are none
   */
  static boolean finish(
      Connection connection,
      ImportJob job,
      UUID holder,
      State state,
      ImportReport report,
      @Nullable Long batch,
      boolean rejected)
      throws SQLException {
    boolean keeps = state == State.PLANNED || state == State.REFUSED || state == State.FAILED;
    int finished =
        held(FINISH, connection, job, holder)
            .set("state", state.word())
            .set("report", report.json())
            .set("batch", batch)
            .set("rejected", rejected)
            .set("keeps", keeps)
            .update();
    if (finished > 0 && !keeps) {
      DELETE_FILE
          .on(connection)
          .set("merchantId", job.merchantId())
          .set("importId", job.importId())
          .set("keepRejected", rejected)
          .update();
    }
    return finished > 0;
  }

  boolean finish(ImportJob job, UUID holder, State state, ImportReport report, boolean rejected)
      throws SQLException {
    return cells
        .of(job.merchantId())
        .write(connection -> finish(connection, job, holder, state, report, null, rejected));
  }

  /**
   * Returns an import to the queue, for this node or another one.
   *
   * @param counts whether this attempt counts toward {@link #MAX_ATTEMPTS}
   */
  void giveBack(ImportJob job, UUID holder, boolean counts, String trouble) throws SQLException {
    cells
        .of(job.merchantId())
        .write(
            connection ->
                held(GIVE_BACK, connection, job, holder)
                    .set("trouble", trouble)
                    .set("counts", counts)
                    .update());
  }

  private static Sql.Call held(Sql statement, Connection connection, ImportJob job, UUID holder) {
    return statement
        .on(connection)
        .set("merchantId", job.merchantId())
        .set("importId", job.importId())
        .set("holder", holder);
  }
}
