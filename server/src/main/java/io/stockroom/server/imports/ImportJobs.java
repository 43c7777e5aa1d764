package io.stockroom.server.imports;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.database.Database;
import io.stockroom.server.imports.ImportJob.State;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the table {@code import}: who holds which, how far it is, how it ended. */
final class ImportJobs {
  static final int MOST_ATTEMPTS = 3;
  private static final String LEASE = "interval '8 seconds'";
  private static final String RETRY_AFTER = "interval '3 seconds'";
  private static final String DUPLICATE = "23505";

  private static final String SELECT =
      """
      select merchant_id, import_id, name, actor, address, state, apply, skip_bad, bytes,
        guessed_encoding, options::text as options, report::text as report, phase, done, total,
        unit, file_kept, rejected, attempts, trouble, created_at, finished_at
      from import
      """;

  private final Database database;

  ImportJobs(Database database) {
    this.database = database;
  }

  int nextId() throws SQLException {
    return database.read(
        connection ->
            number(connection, "select nextval('import_id')"));
  }

  boolean merchantExists(int merchantId) throws SQLException {
    return database.read(
        connection ->
            number(
                    connection,
                    "select count(*)::int from merchant where merchant_id = " + merchantId)
                > 0);
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  void add(
      int merchantId,
      int importId,
      String name,
      Actor actor,
      boolean apply,
      boolean skipBad,
      StoredFiles.Stored stored,
      ImportOptions options)
      throws SQLException {
    run(
        """
        insert into import (merchant_id, import_id, name, actor, address, state, apply, skip_bad,
          bytes, guessed_encoding, options, phase, total, unit)
        values (?, ?, ?, ?, ?, 'waiting', ?, ?, ?, ?, ?::jsonb, 'reading', ?, 'bytes')
        """,
        merchantId,
        importId,
        name,
        actor.name(),
        actor.address(),
        apply,
        skipBad,
        stored.bytes(),
        stored.encoding(),
        options.json(),
        stored.bytes());
  }

  @Nullable ImportJob find(int merchantId, int importId) throws SQLException {
    List<ImportJob> found =
        list("where merchant_id = ? and import_id = ?", merchantId, importId);
    return found.isEmpty() ? null : found.getFirst();
  }

  List<ImportJob> newest(@Nullable Integer merchantId, @Nullable State state, int most)
      throws SQLException {
    return list(
        """
        where (?::int is null or merchant_id = ?::int) and (?::text is null or state = ?::text)
        order by import_id desc limit ?
        """,
        merchantId,
        merchantId,
        state == null ? null : state.word(),
        state == null ? null : state.word(),
        most);
  }

  private List<ImportJob> list(String where, @Nullable Object... values) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(SELECT + where)) {
            bind(statement, values);
            List<ImportJob> jobs = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                jobs.add(read(row));
              }
            }
            return jobs;
          }
        });
  }

  private static ImportJob read(ResultSet row) throws SQLException {
    State state = State.named(row.getString("state"));
    OffsetDateTime finished = row.getObject("finished_at", OffsetDateTime.class);
    return new ImportJob(
        row.getInt("merchant_id"),
        row.getInt("import_id"),
        row.getString("name"),
        new Actor(row.getString("actor"), row.getString("address")),
        state == null ? State.FAILED : state,
        row.getBoolean("apply"),
        row.getBoolean("skip_bad"),
        row.getLong("bytes"),
        row.getString("guessed_encoding"),
        ImportOptions.read(row.getString("options")),
        ReportJson.read(row.getString("report")),
        row.getString("phase"),
        row.getLong("done"),
        row.getLong("total"),
        row.getString("unit"),
        row.getBoolean("file_kept"),
        row.getBoolean("rejected"),
        row.getInt("attempts"),
        row.getString("trouble"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        finished == null ? null : finished.toInstant());
  }

  /**
   * Takes the oldest import that waits, or whose holder is gone; null where there is none. Each
   * merchant's go one after the other.
   */
  @Nullable ImportJob claim(UUID holder) throws SQLException {
    try {
      return database.write(
          connection -> {
            try (PreparedStatement statement =
                connection.prepareStatement(
                    """
                    update import i set state = 'planning', holder = ?, attempts = attempts + 1,
                      lease_until = now() + %1$s, phase = 'reading', done = 0, total = bytes,
                      unit = 'bytes'
                    from (
                      select merchant_id, import_id from import w
                      where (state = 'waiting' or state in ('planning', 'applying'))
                        and (lease_until is null or lease_until < now())
                        and not exists (
                          select 1 from import o
                          where o.merchant_id = w.merchant_id and o.import_id <> w.import_id
                            and o.state in ('planning', 'applying'))
                      order by import_id limit 1 for no key update skip locked
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

  private static @Nullable ImportJob findWithin(
      Connection connection, int merchantId, int importId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(SELECT + "where merchant_id = ? and import_id = ?")) {
      statement.setInt(1, merchantId);
      statement.setInt(2, importId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? read(row) : null;
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
            bind(
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
    run(
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
      bind(
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
        bind(statement, job.merchantId(), job.importId(), rejected);
        statement.executeUpdate();
      }
    }
    return true;
  }

  boolean finish(
      ImportJob job, UUID holder, State state, ImportReport report, boolean rejected)
      throws SQLException {
    return database.write(
        connection -> finish(connection, job, holder, state, report, rejected));
  }

  /** Gives an import back, for this node or another to try again; it was not its fault. */
  void giveBack(ImportJob job, UUID holder, boolean counts, String trouble) throws SQLException {
    run(
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

  /** Lets an import that rests run again; false where it has moved on meanwhile. */
  boolean again(ImportJob job, boolean apply, boolean skipBad, ImportOptions options)
      throws SQLException {
    return run(
            """
            update import set state = 'waiting', apply = ?, skip_bad = ?, options = ?::jsonb,
              attempts = 0, cancel = false, finished_at = null, phase = 'reading', done = 0,
              total = bytes, unit = 'bytes'
            where merchant_id = ? and import_id = ? and state = ? and file_kept
            """,
            apply,
            skipBad,
            options.json(),
            job.merchantId(),
            job.importId(),
            job.state().word())
        > 0;
  }

  /** Asks for the end of an import; false where it has ended already. */
  boolean cancel(int merchantId, int importId) throws SQLException {
    boolean asked =
        run(
                """
                update import set cancel = true,
                  state = case when state in ('waiting', 'planned') then 'cancelled' else state end,
                  finished_at = case when state in ('waiting', 'planned') then clock_timestamp() end,
                  file_kept = state not in ('waiting', 'planned'),
                  rejected = rejected and state not in ('waiting', 'planned')
                where merchant_id = ? and import_id = ?
                  and state in ('waiting', 'planning', 'planned', 'applying')
                """,
                merchantId,
                importId)
            > 0;
    run(
        """
        delete from import_piece p using import i
        where p.merchant_id = ? and p.import_id = ? and i.merchant_id = p.merchant_id
          and i.import_id = p.import_id and i.state = 'cancelled'
        """,
        merchantId,
        importId);
    return asked;
  }

  Map<String, String> rememberedColumns(int merchantId) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select column_name, field from import_column where merchant_id = ?")) {
            statement.setInt(1, merchantId);
            Map<String, String> columns = new HashMap<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                columns.put(row.getString(1), row.getString(2));
              }
            }
            return columns;
          }
        });
  }

  void rememberColumns(int merchantId, Map<String, String> columns) throws SQLException {
    for (Map.Entry<String, String> column : columns.entrySet()) {
      run(
          """
          insert into import_column (merchant_id, column_name, field) values (?, ?, ?)
          on conflict (merchant_id, column_name) do update set field = excluded.field
          """,
          merchantId,
          column.getKey(),
          column.getValue());
    }
  }

  int run(String sql, @Nullable Object... values) throws SQLException {
    return database.write(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            return statement.executeUpdate();
          }
        });
  }

  private static void bind(PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }
}
