package io.stockroom.core.changes;

import io.stockroom.core.database.CellReads;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Size;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a merchant's changes in order. Concurrent readers share a statement, and readers that ask
 * for the same changes share the result: many clients that wait for one merchant wake together.
 */
public final class ChangeFeed {
  /**
   * How many entries the changes before the last one of a page may have: one import can change
   * millions.
   */
  static final int MAX_ENTRIES = 10_000;

  private record Key(int merchantId, long after, int limit) {}

  /**
   * Changes in the order of their numbers, and the state of the log when they were read.
   *
   * @param lastChange the number of the merchant's newest change; 0 if there is none
   * @param oldest the number of the oldest change that is kept; the next one if none is
   */
  public record Page(UUID logId, long lastChange, long oldest, List<Change> changes) {
    /** The cursor after the last of these changes; without changes, that of the log's end. */
    public Cursor cursor() {
      return Cursor.of(logId, end());
    }

    /** Whether there are further changes after these. */
    public boolean hasMore() {
      return end() < lastChange;
    }

    /** Whether this cursor is one of this log. */
    public boolean knows(Cursor cursor) {
      return cursor.isOf(logId) && cursor.number() >= 0 && cursor.number() <= lastChange;
    }

    /** Whether changes after this number were deleted already. */
    public boolean isExpired(long number) {
      return number + 1 < oldest;
    }

    private long end() {
      return changes.isEmpty() ? lastChange : changes.getLast().number();
    }
  }

  /**
   * One snapshot: the end of the log, its beginning, the changes and the entries they name. The
   * driver reads arrays of texts much faster than arrays of uuids.
   */
  private static final Sql CHANGES =
      Sql.of(
          """
          select k.n, h.log_id, h.last_change, coalesce(o.number, h.last_change + 1) as oldest,
            c.number, c.at, c.kind, c.product_id,
            coalesce(p.art_no, a.art_no) as art_no, c.source, c.batch, c.created, c.fields,
            e.guids, e.barcodes, e.colors, e.sizes, e.before, e.after
          from unnest((select :merchantIds::int[]), (select :afters::bigint[]),
              (select :limits::int[]))
            with ordinality k (merchant_id, after, max, n)
          join log_head h on h.merchant_id = k.merchant_id
          left join lateral (
            select number from change_log where merchant_id = k.merchant_id
            order by number limit 1
          ) o on true
          left join lateral (
            select l.*, sum(cardinality(l.sizes)) over
              (order by l.number rows between unbounded preceding and 1 preceding) as entries_before
            from (
              select * from change_log
              where merchant_id = k.merchant_id and number > k.after
              order by number limit k.max
            ) l
          ) c on coalesce(c.entries_before, 0) < :maxEntries
          left join product p on p.merchant_id = k.merchant_id and p.product_id = c.product_id
          left join archived_product a on a.merchant_id = k.merchant_id
            and a.product_id = c.product_id
          left join lateral (
            select array_agg(encode(uuid_send(coalesce(e.guid, r.guid)), 'hex')
                order by u.color_no, u.size collate "C") as guids,
              array_agg(case when e.guid is null then r.barcode else e.barcode end
                order by u.color_no, u.size collate "C") as barcodes,
              array_agg(s.color order by u.color_no, u.size collate "C") as colors,
              array_agg(coalesce(e.size_text, r.size_text)
                order by u.color_no, u.size collate "C") as sizes,
              array_agg(u.before order by u.color_no, u.size collate "C") as before,
              array_agg(u.after order by u.color_no, u.size collate "C") as after
            from unnest(c.colors, c.sizes, c.quantities_before, c.quantities_after)
              u (color_no, size, before, after)
            left join stock_entry e on e.merchant_id = k.merchant_id
              and e.product_id = c.product_id and e.color_no = u.color_no and e.size = u.size
            left join removed_entry r on r.merchant_id = k.merchant_id
              and r.product_id = c.product_id and r.color_no = u.color_no and r.size = u.size
            left join stock_color s on s.merchant_id = k.merchant_id
              and s.product_id = c.product_id and s.color_no = u.color_no
          ) e on c.kind = 'stock'
          order by k.n, c.number
          """);

  private final CellReads<Key, @Nullable Page> reads;

  public ChangeFeed(Cells cells) {
    this.reads = cells.batchedLarge(Key::merchantId, ChangeFeed::read);
  }

  /**
   * The changes with higher numbers than {@code after}, the lowest first: at most {@code limit},
   * and fewer if they have many entries, but at least one if there is one.
   */
  public Page after(int merchantId, long after, int limit) throws SQLException {
    Page page = reads.get(new Key(merchantId, after, limit));
    return Objects.requireNonNull(page, "every merchant has a log");
  }

  private static List<@Nullable Page> read(Connection connection, List<Key> keys)
      throws SQLException {
    List<Key> distinct = keys.stream().distinct().toList();
    Map<Key, Page> pages = new HashMap<>();
    CHANGES
        .on(connection)
        .set("merchantIds", distinct.stream().mapToInt(Key::merchantId).toArray())
        .set("afters", distinct.stream().mapToLong(Key::after).toArray())
        .set("limits", distinct.stream().mapToInt(Key::limit).toArray())
        .set("maxEntries", MAX_ENTRIES)
        .forEach(
            row -> {
              Key key = distinct.get(row.getInt("n") - 1);
              Page page = pages.get(key);
              if (page == null) {
                page = emptyPage(row);
                pages.put(key, page);
              }
              String kind = row.getString("kind");
              if (kind != null) {
                page.changes.add(change(row, kind));
              }
            });
    List<@Nullable Page> found = new ArrayList<>(keys.size());
    for (Key key : keys) {
      found.add(pages.get(key));
    }
    return found;
  }

  private static Page emptyPage(ResultSet row) throws SQLException {
    return new Page(
        row.getObject("log_id", UUID.class),
        row.getLong("last_change"),
        row.getLong("oldest"),
        new ArrayList<>());
  }

  private static Change change(ResultSet row, String kind) throws SQLException {
    boolean isStock = kind.equals(Change.STOCK);
    return new Change(
        row.getLong("number"),
        Sql.instant(row, "at"),
        kind,
        row.getInt("product_id"),
        row.getString("art_no"),
        row.getString("source"),
        row.getLong("batch"),
        isStock ? entries(row) : List.of(),
        row.getBoolean("created"),
        isStock ? List.of() : Sql.texts(row, "fields"));
  }

  private static List<Change.Entry> entries(ResultSet row) throws SQLException {
    String[] guids = (String[]) array(row, "guids");
    String[] barcodes = (String[]) array(row, "barcodes");
    String[] colors = (String[]) array(row, "colors");
    String[] sizes = (String[]) array(row, "sizes");
    Integer[] before = (Integer[]) array(row, "before");
    Integer[] after = (Integer[]) array(row, "after");
    List<Change.Entry> entries = new ArrayList<>(sizes.length);
    for (int i = 0; i < sizes.length; i++) {
      entries.add(
          new Change.Entry(
              guids[i], barcodes[i], colors[i], Size.of(sizes[i]), before[i], after[i]));
    }
    return entries;
  }

  private static Object array(ResultSet row, String column) throws SQLException {
    return row.getArray(column).getArray();
  }
}
