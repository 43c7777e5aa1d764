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
import org.jspecify.annotations.Nullable;

/** The rows of the table {@code import}, as those who ask for imports see them. */
final class ImportJobs {
  static final String SELECT =
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
    return database.read(connection -> number(connection, "select nextval('import_id')"));
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

  /** Adds an import; false where the merchant may open no more. */
  boolean add(
      ImportQuota quota,
      int merchantId,
      int importId,
      String name,
      Actor actor,
      boolean apply,
      boolean skipBad,
      StoredFiles.Stored stored,
      ImportOptions options)
      throws SQLException {
    return database.write(
        connection -> {
          if (!quota.admits(connection, merchantId)) {
            return false;
          }
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  insert into import (merchant_id, import_id, name, actor, address, state, apply,
                    skip_bad, bytes, guessed_encoding, options, phase, total, unit)
                  values (?, ?, ?, ?, ?, 'waiting', ?, ?, ?, ?, ?::jsonb, 'reading', ?, 'bytes')
                  """)) {
            bind(
                statement,
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
            return statement.executeUpdate() > 0;
          }
        });
  }

  @Nullable ImportJob find(int merchantId, int importId) throws SQLException {
    List<ImportJob> found = list("where merchant_id = ? and import_id = ?", merchantId, importId);
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

  /** As {@link #newest}, from {@code before} on (0: the newest), with the counts alone. */
  List<ImportJob> summaries(@Nullable Integer merchantId, int before, int most)
      throws SQLException {
    return select(
        SELECT.replace("report::text", "jsonb_build_object('counts', report -> 'counts')::text")
            + """
              where (?::int is null or merchant_id = ?::int) and (? = 0 or import_id < ?)
              order by import_id desc limit ?
              """,
        merchantId,
        merchantId,
        before,
        before,
        most);
  }

  private List<ImportJob> list(String where, @Nullable Object... values) throws SQLException {
    return select(SELECT + where, values);
  }

  private List<ImportJob> select(String sql, @Nullable Object... values) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
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

  static ImportJob read(ResultSet row) throws SQLException {
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
                  state = case when state in ('planning', 'applying') then state
                    else 'cancelled' end,
                  finished_at = case when state in ('planning', 'applying') then null
                    else clock_timestamp() end,
                  file_kept = state in ('planning', 'applying'),
                  rejected = rejected and state in ('planning', 'applying')
                where merchant_id = ? and import_id = ?
                  and (state in ('waiting', 'planning', 'planned', 'applying')
                    or state in ('refused', 'failed') and file_kept)
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

  static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }
}
