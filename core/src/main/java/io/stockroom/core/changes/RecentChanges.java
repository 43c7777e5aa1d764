package io.stockroom.core.changes;

import io.stockroom.core.audit.ActorName;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Size;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The newest changes of a merchant, summed up for people. */
public final class RecentChanges {
  public static final int PAGE = 50;

  /**
   * One change of one product.
   *
   * @param actor who made it, as in the audit log
   * @param fields the fields of the product that changed; empty for a change of stock
   * @param entries how many stock entries changed; 0 for a change of the product itself
   * @param color the color of the only entry; null if there are more
   * @param size the size of the only entry; null if there are more
   * @param before the total quantity of these entries before
   * @param removed whether all of these entries were removed
   */
  public record Row(
      long number,
      Instant at,
      int productId,
      @Nullable String artNo,
      String source,
      @Nullable String actor,
      boolean created,
      List<String> fields,
      int entries,
      @Nullable String color,
      @Nullable Size size,
      long before,
      long after,
      boolean removed) {
    /** Who made it; null if the audit log no longer says. */
    public @Nullable ActorName who() {
      return actor == null ? null : ActorName.of(actor);
    }

    public boolean isStock() {
      return entries > 0;
    }

    public boolean isArchived() {
      return fields.contains("archived");
    }

    public boolean isRestored() {
      return fields.contains("restored");
    }

    public long difference() {
      return after - before;
    }
  }

  private static final Sql NEWEST =
      Sql.of(
          """
          select c.number, c.at, c.product_id, coalesce(p.art_no, r.art_no) as art_no,
            c.source, a.actor, c.created, c.fields,
            coalesce(cardinality(c.sizes), 0) as entries, s.color, e.size_text as size,
            (select coalesce(sum(q), 0) from unnest(c.quantities_before) q) as before,
            (select coalesce(sum(q), 0) from unnest(c.quantities_after) q) as after,
            (select bool_and(q is null) from unnest(c.quantities_after) q) as removed
          from change_log c
          left join audit a on a.merchant_id = c.merchant_id and a.number = c.batch
          left join product p on p.merchant_id = c.merchant_id and p.product_id = c.product_id
          left join archived_product r on r.merchant_id = c.merchant_id
            and r.product_id = c.product_id
          left join stock_color s on s.merchant_id = c.merchant_id
            and s.product_id = c.product_id and s.color_no = c.colors[1]
            and cardinality(c.colors) = 1
          left join lateral (
            select size_text from stock_entry
            where merchant_id = c.merchant_id and product_id = c.product_id
              and color_no = s.color_no and size = c.sizes[1]
            union all
            select size_text from removed_entry
            where merchant_id = c.merchant_id and product_id = c.product_id
              and color_no = s.color_no and size = c.sizes[1]
            limit 1
          ) e on true
          where c.merchant_id = :merchantId and (:before = 0 or c.number < :before)
          order by c.number desc limit :limit
          """);

  /**
   * A binary search: numbers have no gaps, and times never go back. The first change at this time
   * or later is one of {@code low} to {@code high}; the last of them stands for none.
   */
  private static final Sql SINCE =
      Sql.of(
          """
          with recursive log as (
            select h.log_id, h.last_change, coalesce(o.number, h.last_change + 1) as oldest
            from log_head h left join lateral (
              select number from change_log where merchant_id = h.merchant_id
              order by number limit 1
            ) o on true
            where h.merchant_id = :merchantId
          ), search (low, high) as (
            select oldest, last_change + 1 from log
            union all
            select case when c.at < :at then c.number + 1 else s.low end,
              case when c.at < :at then s.high else c.number end
            from search s join change_log c
              on c.merchant_id = :merchantId and c.number = (s.low + s.high) / 2
            where s.low < s.high
          )
          select log.log_id, log.last_change, search.low - 1 as number
          from log join search on search.low = search.high
          """);

  private final Cells cells;

  public RecentChanges(Cells cells) {
    this.cells = cells;
  }

  /**
   * Up to {@link #PAGE} changes, newest first, and one more if there is one.
   *
   * @param before the change before which to begin; 0: the newest
   */
  public List<Row> newest(int merchantId, long before) throws SQLException {
    return newest(merchantId, before, PAGE + 1);
  }

  /** The newest {@code limit} changes, newest first. */
  public List<Row> latest(int merchantId, int limit) throws SQLException {
    return newest(merchantId, 0, limit);
  }

  private List<Row> newest(int merchantId, long before, int limit) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                NEWEST
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("before", before)
                    .set("limit", limit)
                    .list(RecentChanges::read));
  }

  /** The cursor before the first change that was made at this time or later. */
  public Cursor since(int merchantId, Instant at) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                SINCE
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("at", at)
                    .one(
                        row ->
                            Cursor.of(row.getObject("log_id", UUID.class), row.getLong("number"))));
  }

  /** How many changes were made at this time or later. */
  public long countSince(int merchantId, Instant at) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection -> {
              Long count =
                  SINCE
                      .on(connection)
                      .set("merchantId", merchantId)
                      .set("at", at)
                      .<Long>first(row -> row.getLong("last_change") - row.getLong("number"));
              return count == null ? 0L : count;
            });
  }

  private static Row read(ResultSet row) throws SQLException {
    int entries = row.getInt("entries");
    String size = row.getString("size");
    return new Row(
        row.getLong("number"),
        Sql.instant(row, "at"),
        row.getInt("product_id"),
        row.getString("art_no"),
        row.getString("source"),
        row.getString("actor"),
        row.getBoolean("created"),
        entries == 0 ? Sql.texts(row, "fields") : List.of(),
        entries,
        row.getString("color"),
        size == null ? null : Size.of(size),
        row.getLong("before"),
        row.getLong("after"),
        row.getBoolean("removed"));
  }
}
