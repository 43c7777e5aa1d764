package io.stockroom.pictures;

import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.pictures.PictureTable.Place;
import io.stockroom.pictures.PictureTable.Row;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Finds, once a day for each merchant, the pictures that no product refers to, and deletes those
 * that none has referred to for 30 days. Products that wait in the archive, and values that an undo
 * would write back, count as well.
 */
public final class UnusedPictures {
  private static final int DAYS = 30;
  private static final int MERCHANTS_AT_ONCE = 20;

  private static final Sql DUE =
      Sql.of(
          """
          select merchant_id from picture_usage
          where checked_at < now() - interval '1 day' order by checked_at limit :limit
          """);

  private static final Sql LAST_CHANGE =
      Sql.of("select last_change from log_head where merchant_id = :merchantId");

  private static final String TEXTS =
      "concat_ws(' ', description, array_to_string(imgs, ' '), array_to_string(image_urls, ' '))";

  private static final String REFERRED =
      """
      referred as (
        select distinct decode(found[1], 'hex') as sha256
        from texts, regexp_matches(
          content, '/pictures/' || (:merchantId::int)::text || '/([0-9a-f]{64})', 'g') as found
        where content like '%/pictures/' || (:merchantId::int)::text || '/%'
      )
      """;

  private static final Sql MARK =
      Sql.of(
          """
          with texts as (
            select %1$s as content from product_detail where merchant_id = :merchantId
            union all
            select %1$s from archived_product where merchant_id = :merchantId
            union all
            select %1$s from import_before where merchant_id = :merchantId
          ), %2$s
          update picture p
          set unused_since = case when p.unused_since is null then now() end
          where merchant_id = :merchantId and (p.unused_since is null)
            <> exists (select 1 from referred r where r.sha256 = p.sha256)
          """
              .formatted(TEXTS, REFERRED));

  private static final String IS_OLD =
      "merchant_id = :merchantId and unused_since < now() - :days * interval '1 day'";

  private static final Sql HAS_OLD = Sql.of("select 1 from picture where " + IS_OLD + " limit 1");

  /** What was changed while the others were read. */
  private static final Sql UNMARK =
      Sql.of(
          """
          with texts as (
            select %s as content from product_detail
            where merchant_id = :merchantId and product_id in (
              select product_id from change_log
              where merchant_id = :merchantId and number > :number)
          ), %s
          update picture p set unused_since = null from referred r
          where p.merchant_id = :merchantId and p.sha256 = r.sha256
            and p.unused_since is not null
          """
              .formatted(TEXTS, REFERRED));

  private static final Sql DELETE_CONTENT =
      Sql.of(
          """
          delete from picture_content where merchant_id = :merchantId and sha256 in (
            select sha256 from picture where %s for update)
          """
              .formatted(IS_OLD));

  private static final Sql DELETE =
      Sql.of(
          """
          with gone as (
            delete from picture p where %s
              and not exists (select 1 from picture_content c
                where c.merchant_id = p.merchant_id and c.sha256 = p.sha256)
            returning p.*
          ), counted as (
            update picture_usage set pictures = pictures - (select count(*) from gone),
              bytes = bytes - (select coalesce(sum(bytes), 0) from gone)
            where merchant_id = :merchantId
          )
          select %s from gone
          """
              .formatted(IS_OLD, PictureTable.COLUMNS));

  private static final Sql CHECKED =
      Sql.of("update picture_usage set checked_at = now() where merchant_id = :merchantId");

  private final Cells cells;
  private final PictureContents contents;

  UnusedPictures(Cells cells, PictureContents contents) {
    this.cells = cells;
    this.contents = contents;
  }

  /** Looks at some merchants whose last check was a day ago. */
  public void removeOld() throws SQLException {
    cells.each(
        database -> {
          List<Integer> due =
              database.read(
                  connection ->
                      DUE.on(connection)
                          .set("limit", MERCHANTS_AT_ONCE)
                          .list(row -> row.getInt(1)));
          for (int merchantId : due) {
            removeOld(merchantId);
          }
        });
  }

  void removeOld(int merchantId) throws SQLException {
    cells.of(merchantId).write(connection -> removeOld(connection, merchantId));
  }

  private boolean removeOld(Connection connection, int merchantId) throws SQLException {
    Long number =
        LAST_CHANGE.on(connection).set("merchantId", merchantId).<Long>first(row -> row.getLong(1));
    MARK.on(connection).set("merchantId", merchantId).update();
    if (old(HAS_OLD, connection, merchantId).exists()) {
      // a product that is being written may refer to one of them
      if (!AdvisoryLock.PICTURES_IN_USE.tryHold(connection)) {
        return false;
      }
      UNMARK
          .on(connection)
          .set("merchantId", merchantId)
          .set("number", number == null ? 0 : number)
          .update();
      old(DELETE_CONTENT, connection, merchantId).update();
      List<Row> gone = old(DELETE, connection, merchantId).list(Row::read);
      deleteContents(merchantId, gone);
    }
    CHECKED.on(connection).set("merchantId", merchantId).update();
    return true;
  }

  private static Sql.Call old(Sql sql, Connection connection, int merchantId) {
    return sql.on(connection).set("merchantId", merchantId).set("days", DAYS);
  }

  /** Before the commit: who stores the same picture again waits for it. */
  private void deleteContents(int merchantId, List<Row> gone) {
    try {
      for (Row row : gone) {
        if (row.place() == Place.S3) {
          contents.delete(merchantId, row);
        }
      }
    } catch (StoreUnavailable away) {
      // nothing is deleted, and the next run tries again
      throw new UncheckedIOException(away);
    }
  }
}
