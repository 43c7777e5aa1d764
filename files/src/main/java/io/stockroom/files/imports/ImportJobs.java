package io.stockroom.files.imports;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.read.ImportOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The imports of all merchants: adding, listing, cancelling. */
final class ImportJobs {
  static final String SELECT =
      """
      select merchant_id, import_id, kind, undoes, batch, (
          select u.import_id from import u
          where u.merchant_id = import.merchant_id and u.undoes = import.import_id
            and u.state in ('waiting', 'planning', 'applying', 'applied')
        ) as undone_by, name, actor, address, state, apply, skip_bad, bytes,
        guessed_encoding, options::text as options, report::text as report, phase, done, total,
        unit, file_kept, rejected, attempts, trouble, created_at, finished_at,
        case when state in ('planning', 'applying') and done > 0 then ceil(
          extract(epoch from clock_timestamp() - phase_at) * (total - done) / done)
        end as seconds_left
      from import
      """;

  private static final Sql NEXT_ID = Sql.of("select nextval('import_id')");
  private static final Sql MERCHANT =
      Sql.of("select closed_at from merchant where merchant_id = :merchantId");
  private static final Sql ADD =
      Sql.of(
          """
          insert into import (merchant_id, import_id, name, actor, address, state, apply,
            skip_bad, bytes, guessed_encoding, options, phase, total, unit)
          values (:merchantId, :importId, :name, :actor, :address, 'waiting', :apply,
            :skipBad, :bytes, :encoding, :options::jsonb, 'reading', :bytes, 'bytes')
          """);
  private static final Sql ADD_UNDO =
      Sql.of(
          """
          insert into import (merchant_id, import_id, kind, undoes, name, actor, address, state,
            apply, skip_bad, bytes, guessed_encoding, options, phase, unit, file_kept)
          values (:merchantId, :importId, 'undo', :undoes, :name, :actor, :address, 'waiting',
            true, false, 0, '', :options::jsonb, 'comparing', 'products', false)
          on conflict (merchant_id, undoes)
            where state in ('waiting', 'planning', 'applying', 'applied') do nothing
          """);
  private static final Sql ADD_EDIT =
      Sql.of(
          """
          insert into import (merchant_id, import_id, kind, batch, name, actor, address, state,
            apply, skip_bad, bytes, guessed_encoding, options, report, phase, unit, file_kept,
            finished_at)
          values (:merchantId, :importId, 'edit', :batch, :name, :actor, :address, 'applied',
            true, false, 0, '', :options::jsonb, :report::jsonb, 'writing', 'records', false,
            clock_timestamp())
          """);
  private static final Sql FIND =
      Sql.of(SELECT + "where merchant_id = :merchantId and import_id = :importId");
  private static final Sql NEWEST =
      Sql.of(
          SELECT
              + """
              where ((:merchantId::int is null and %s) or merchant_id = :merchantId::int)
                and (:state::text is null or state = :state::text)
              order by import_id desc limit :max
              """
                  .formatted(AbsentMerchants.PRESENT));
  private static final Sql SUMMARIES =
      Sql.of(
          SELECT.replace("report::text", "jsonb_build_object('counts', report -> 'counts')::text")
              + """
              where ((:merchantId::int is null and %s) or merchant_id = :merchantId::int)
                and (:before = 0 or import_id < :before)
              order by import_id desc limit :max
              """
                  .formatted(AbsentMerchants.PRESENT));
  private static final Sql AGAIN =
      Sql.of(
          """
          update import set state = 'waiting', apply = :apply, skip_bad = :skipBad,
            options = :options::jsonb, attempts = 0, cancel = false, finished_at = null,
            phase = 'reading', done = 0, total = bytes, unit = 'bytes'
          where merchant_id = :merchantId and import_id = :importId and state = :state
            and file_kept
          """);
  private static final Sql CANCEL =
      Sql.of(
          """
          update import set cancel = true,
            state = case when state in ('planning', 'applying') then state
              else 'cancelled' end,
            finished_at = case when state in ('planning', 'applying') then null
              else clock_timestamp() end,
            file_kept = file_kept and state in ('planning', 'applying'),
            rejected = rejected and state in ('planning', 'applying')
          where merchant_id = :merchantId and import_id = :importId
            and (state in ('waiting', 'planning', 'planned', 'applying')
              or state in ('refused', 'failed') and file_kept)
          """);
  private static final Sql DELETE_FILE =
      Sql.of(
          """
          delete from import_piece p using import i
          where p.merchant_id = :merchantId and p.import_id = :importId
            and i.merchant_id = p.merchant_id and i.import_id = p.import_id
            and i.state = 'cancelled'
          """);

  private final Cells cells;

  ImportJobs(Cells cells) {
    this.cells = cells;
  }

  int nextId() throws SQLException {
    return cells.directory().read(connection -> NEXT_ID.on(connection).one(row -> row.getInt(1)));
  }

  boolean merchantExists(int merchantId) throws SQLException {
    return cells
        .directory()
        .read(connection -> MERCHANT.on(connection).set("merchantId", merchantId).exists());
  }

  /** When the merchant was closed; null if it is not. */
  @Nullable Instant closedAt(int merchantId) throws SQLException {
    return cells
        .directory()
        .<@Nullable Instant>read(
            connection ->
                MERCHANT
                    .on(connection)
                    .set("merchantId", merchantId)
                    .<Instant>first(row -> Sql.instantOrNull(row, "closed_at")));
  }

  /** Adds an import; false if the merchant may not open another one. */
  static boolean add(
      Connection connection, ImportQuota quota, Imports.Upload upload, Imports.Order order)
      throws SQLException {
    return quota.admits(connection, upload.merchantId())
        && ADD.on(connection)
                .set("merchantId", upload.merchantId())
                .set("importId", upload.importId())
                .set("name", order.name())
                .set("actor", order.actor().name())
                .set("address", order.actor().address())
                .set("apply", order.apply())
                .set("skipBad", order.skipBad())
                .set("bytes", upload.bytes())
                .set("encoding", upload.encoding())
                .set("options", order.options().json())
                .update()
            > 0;
  }

  /** Adds the undo of a job; false if there is one already. */
  boolean addUndo(ImportJob undone, int importId, Actor actor, ImportOptions options)
      throws SQLException {
    return cells
        .of(undone.merchantId())
        .write(
            connection ->
                ADD_UNDO
                        .on(connection)
                        .set("merchantId", undone.merchantId())
                        .set("importId", importId)
                        .set("undoes", undone.importId())
                        .set("name", undone.name())
                        .set("actor", actor.name())
                        .set("address", actor.address())
                        .set("options", options.json())
                        .update()
                    > 0);
  }

  /** Adds a bulk edit that the transaction has written. */
  static void addEdit(
      Connection connection,
      int merchantId,
      int importId,
      long batch,
      String name,
      Actor actor,
      ImportOptions options,
      ImportReport report)
      throws SQLException {
    ADD_EDIT
        .on(connection)
        .set("merchantId", merchantId)
        .set("importId", importId)
        .set("batch", batch)
        .set("name", name)
        .set("actor", actor.name())
        .set("address", actor.address())
        .set("options", options.json())
        .set("report", report.json())
        .update();
  }

  @Nullable ImportJob find(int merchantId, int importId) throws SQLException {
    return cells.of(merchantId).read(connection -> find(connection, merchantId, importId));
  }

  static @Nullable ImportJob find(Connection connection, int merchantId, int importId)
      throws SQLException {
    return FIND.on(connection)
        .set("merchantId", merchantId)
        .set("importId", importId)
        .first(ImportJobs::read);
  }

  List<ImportJob> newest(@Nullable Integer merchantId, @Nullable State state, int max)
      throws SQLException {
    return newest(
        merchantId,
        max,
        connection ->
            NEWEST
                .on(connection)
                .set("merchantId", merchantId)
                .set("state", state == null ? null : state.word())
                .set("max", max)
                .list(ImportJobs::read));
  }

  /** A page that begins before {@code before} (0: with the newest); reports hold counts only. */
  List<ImportJob> summaries(@Nullable Integer merchantId, int before, int max) throws SQLException {
    return newest(
        merchantId,
        max,
        connection ->
            SUMMARIES
                .on(connection)
                .set("merchantId", merchantId)
                .set("before", before)
                .set("max", max)
                .list(ImportJobs::read));
  }

  /** Of one merchant, or of all cells: the ids come from the directory, so they can be compared. */
  private List<ImportJob> newest(
      @Nullable Integer merchantId, int max, Database.Work<List<ImportJob>> work)
      throws SQLException {
    return merchantId != null
        ? cells.of(merchantId).read(work)
        : cells.list(work).stream()
            .sorted(Comparator.comparingInt(ImportJob::importId).reversed())
            .limit(max)
            .toList();
  }

  static ImportJob read(ResultSet row) throws SQLException {
    State state = State.named(row.getString("state"));
    return new ImportJob(
        row.getInt("merchant_id"),
        row.getInt("import_id"),
        ImportJob.Kind.named(row.getString("kind")),
        row.getObject("undoes", Integer.class),
        row.getObject("undone_by", Integer.class),
        row.getObject("batch", Long.class),
        row.getString("name"),
        new Actor(row.getString("actor"), row.getString("address")),
        state == null ? State.FAILED : state,
        row.getBoolean("apply"),
        row.getBoolean("skip_bad"),
        row.getLong("bytes"),
        row.getString("guessed_encoding"),
        ImportOptions.read(row.getString("options")),
        ImportReport.read(row.getString("report")),
        row.getString("phase"),
        row.getLong("done"),
        row.getLong("total"),
        row.getString("unit"),
        row.getBoolean("file_kept"),
        row.getBoolean("rejected"),
        row.getInt("attempts"),
        row.getString("trouble"),
        Sql.instant(row, "created_at"),
        Sql.instantOrNull(row, "finished_at"),
        row.getObject("seconds_left") == null ? null : row.getLong("seconds_left"));
  }

  /** Queues an import again; false if its state has changed in the meantime. */
  boolean again(ImportJob job, boolean apply, boolean skipBad, ImportOptions options)
      throws SQLException {
    return cells
        .of(job.merchantId())
        .write(
            connection ->
                AGAIN
                        .on(connection)
                        .set("apply", apply)
                        .set("skipBad", skipBad)
                        .set("options", options.json())
                        .set("merchantId", job.merchantId())
                        .set("importId", job.importId())
                        .set("state", job.state().word())
                        .update()
                    > 0);
  }

  /** Requests the cancellation of an import; false if it has already ended. */
  boolean cancel(int merchantId, int importId) throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              int cancelled = update(CANCEL, connection, merchantId, importId);
              update(DELETE_FILE, connection, merchantId, importId);
              return cancelled > 0;
            });
  }

  private static int update(Sql statement, Connection connection, int merchantId, int importId)
      throws SQLException {
    return statement
        .on(connection)
        .set("merchantId", merchantId)
        .set("importId", importId)
        .update();
  }
}
