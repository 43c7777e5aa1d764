package io.stockroom.files.imports;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Span;
import java.sql.SQLException;

/** Deletes files, rejected rows and imports whose retention time has passed. */
final class ImportRetention {
  private static final Sql EXPIRE_PLANS =
      Sql.of(
          """
          update import set state = 'expired', file_kept = false, rejected = false,
            finished_at = now()
          where state = 'planned' and coalesce(begun_at, created_at) < now() - :keep::interval
          """);
  private static final Sql FORGET_FILES =
      Sql.of(
          """
          update import set file_kept = false
          where file_kept and state in ('refused', 'failed')
            and finished_at < now() - :keep::interval
          """);
  private static final Sql FORGET_REJECTED =
      Sql.of(
          """
          update import set rejected = false
          where rejected and finished_at < now() - :keep::interval
          """);
  private static final Sql DELETE_PIECES =
      Sql.of(
          """
          delete from import_piece p using import i
          where i.merchant_id = p.merchant_id and i.import_id = p.import_id
            and (p.rejected and not i.rejected or not p.rejected and not i.file_kept)
            and i.state not in ('waiting', 'planning', 'applying')
          """);

  /** Pieces of interrupted uploads. */
  private static final Sql DELETE_ORPHANS =
      Sql.of(
          """
          delete from import_piece p where stored_at < now() - interval '1 day' and not exists (
            select 1 from import i
            where i.merchant_id = p.merchant_id and i.import_id = p.import_id)
          """);

  private static final Sql DELETE_IMPORTS =
      Sql.of(
          """
          delete from import where finished_at < now() - interval '90 days'
            and not file_kept and not rejected
          """);

  private static final Sql DELETE_BEFORE =
      Sql.of(
          """
          delete from import_before b where not exists (
            select 1 from import i
            where i.merchant_id = b.merchant_id and i.import_id = b.import_id)
          """);
  private static final Sql DELETE_ERRORS =
      Sql.of(
          """
          delete from import_error e where not exists (
            select 1 from import i
            where i.merchant_id = e.merchant_id and i.import_id = e.import_id)
          """);

  private final Cells cells;
  private final Span keepPlanned;
  private final Span keepFile;
  private final Span keepRejected;

  ImportRetention(Cells cells, Span keepPlanned, Span keepFile, Span keepRejected) {
    this.cells = cells;
    this.keepPlanned = keepPlanned;
    this.keepFile = keepFile;
    this.keepRejected = keepRejected;
  }

  void run() throws SQLException {
    forget(EXPIRE_PLANS, keepPlanned);
    forget(FORGET_FILES, keepFile);
    forget(FORGET_REJECTED, keepRejected);
    delete(DELETE_PIECES);
    delete(DELETE_ORPHANS);
    delete(DELETE_IMPORTS);
    delete(DELETE_BEFORE);
    delete(DELETE_ERRORS);
  }

  private void forget(Sql statement, Span keep) throws SQLException {
    cells.each(
        database ->
            database.write(
                connection -> statement.on(connection).set("keep", keep.toString()).update()));
  }

  private void delete(Sql statement) throws SQLException {
    cells.each(database -> database.write(connection -> statement.on(connection).update()));
  }
}
