package io.stockroom.server.imports;

import io.stockroom.server.database.Database;
import io.stockroom.server.imports.ImportJob.State;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which import: a holder takes it by a lease, renews that while it works, and is the only
 * one that can end it.
 */
final class ImportClaims {
  static final int MOST_ATTEMPTS = 3;
  private static final String LEASE = "interval '8 seconds'";
  private static final String RETRY_AFTER = "interval '3 seconds'";
  private static final String DUPLICATE = "23505";

  private final Database database;
  private final ImportJobs jobs;

  ImportClaims(Database database, ImportJobs jobs) {
    this.database = database;
    this.jobs = jobs;
  }

  /**
   * Takes an import that waits, or whose holder is gone; null where there is none. Each merchant's
   * go one after the other, the oldest first, and the merchant whose last one was begun longest ago
   * is next: many imports of one never keep another's waiting.
   */
  @Nullable ImportJob claim(UUID holder) throws SQLException {
    try {
      return database.write(
          connection -> {
            try (PreparedStatement statement =
                connection.prepareStatement(
                    """
                    update import i set state = 'planning', holder = ?, attempts = attempts + 1,
                      begun_at = clock_timestamp(), lease_until = now() + %1$s, phase = 'reading', done = 0, total = bytes,
                      unit = 'bytes'
                    from (
                      select merchant_id, import_id from import w
                      where (state = 'waiting' or state in ('planning', 'applying'))
                        and (lease_until is null or lease_until < now())
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
                        .formatted(LEASE))) {
              statement.setObject(1, holder);
              try (ResultSet row = statement.executeQuery()) {
                return row.next() ? findWithin(connection, row.getInt(1), row.getInt(2)) : null;
              }
            }
          });
    } catch (SQLException failure) {
      if (DUPLICATE.equals(failure.getSQLState())) {
        // another node took another import of the same merchant at the same moment
        return null;
      }
      throw failure;
    }
  }

  private static @Nullable ImportJob findWithin(Connection connection, int merchantId, int importId)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            ImportJobs.SELECT + "where merchant_id = ? and import_id = ?")) {
      statement.setInt(1, merchantId);
      statement.setInt(2, importId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? ImportJobs.read(row) : null;
      }
    }
  }

  /** What a holder hears when it tells how far it is. */
  enum Heard {
    GO_ON,
    CANCEL,
    LOST
  }

  Heard renew(ImportJob job, UUID holder, Progress.Moment moment) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update import set lease_until = now() + %s, phase = ?, done = ?, total = ?,
                    unit = ?
                  where merchant_id = ? and import_id = ? and holder = ?
                    and state in ('planning', 'applying')
                  returning cancel
                  """
                      .formatted(LEASE))) {
            ImportJobs.bind(
                statement,
                moment.phase(),
                moment.done(),
                moment.total(),
                moment.unit(),
                job.merchantId(),
                job.importId(),
                holder);
            try (ResultSet row = statement.executeQuery()) {
              if (!row.next()) {
                return Heard.LOST;
              }
              return row.getBoolean(1) ? Heard.CANCEL : Heard.GO_ON;
            }
          }
        });
  }

  /** Shows what was found so far, and that it is being written now. */
  void applying(ImportJob job, UUID holder, ImportReport report) throws SQLException {
    jobs.run(
        """
        update import set state = 'applying', report = ?::jsonb
        where merchant_id = ? and import_id = ? and holder = ?
        """,
        ReportJson.write(report),
        job.merchantId(),
        job.importId(),
        holder);
  }

  /** Ends an import in the caller's transaction; false where it is not the holder's any more. */
  static boolean finish(
      Connection connection,
      ImportJob job,
      UUID holder,
      State state,
      ImportReport report,
      boolean rejected)
      throws SQLException {
    boolean keeps = state == State.PLANNED || state == State.REFUSED || state == State.FAILED;
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            update import set state = ?, report = ?::jsonb, rejected = ?, file_kept = ?,
              holder = null, lease_until = null, trouble = '', done = total,
              finished_at = case when ? = 'planned' then null else clock_timestamp() end
            where merchant_id = ? and import_id = ? and holder = ?
              and (not cancel or ? in ('cancelled', 'failed'))
            """)) {
      ImportJobs.bind(
          statement,
          state.word(),
          ReportJson.write(report),
          rejected,
          keeps,
          state.word(),
          job.merchantId(),
          job.importId(),
          holder,
          state.word());
      if (statement.executeUpdate() == 0) {
        return false;
      }
    }
    if (!keeps) {
      try (PreparedStatement statement =
          connection.prepareStatement(
              """
              delete from import_piece
              where merchant_id = ? and import_id = ? and (not rejected or not ?)
              """)) {
        ImportJobs.bind(statement, job.merchantId(), job.importId(), rejected);
        statement.executeUpdate();
      }
    }
    return true;
  }

  boolean finish(ImportJob job, UUID holder, State state, ImportReport report, boolean rejected)
      throws SQLException {
    return database.write(connection -> finish(connection, job, holder, state, report, rejected));
  }

  /** Gives an import back, for this node or another to try again; it was not its fault. */
  void giveBack(ImportJob job, UUID holder, boolean counts, String trouble) throws SQLException {
    jobs.run(
        """
        update import set state = 'waiting', holder = null, trouble = ?,
          lease_until = case when ? then now() + %s end,
          attempts = case when ? then attempts else attempts - 1 end
        where merchant_id = ? and import_id = ? and holder = ?
        """
            .formatted(RETRY_AFTER),
        trouble,
        counts,
        counts,
        job.merchantId(),
        job.importId(),
        holder);
  }
}
