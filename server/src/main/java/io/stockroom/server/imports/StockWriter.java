package io.stockroom.server.imports;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.stock.StockChanges;
import io.stockroom.server.stock.Through;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongConsumer;

/** The one place where an import writes stock entries, and their history. */
final class StockWriter {
  /** The colors of some products: those after {@code after}, up to {@code last}. */
  private record Keys(int after, int last) {}

  private final Sql sql;
  private final int merchantId;
  private final Actor actor;
  private final LongConsumer advance;

  /**
   * Writes for a merchant.
   *
   * @param advance told how many more entries are written
   */
  StockWriter(Sql sql, int merchantId, Actor actor, LongConsumer advance) {
    this.sql = sql;
    this.merchantId = merchantId;
    this.actor = actor;
    this.advance = advance;
  }

  /** Writes the entries of all items up to the last. */
  void write(ImportReport.Counts counts, int last) throws SQLException {
    long beside = sql.number("select count(*) from import_stock where fresh");
    writeNew(counts.stockCreated() - beside, last);
    writeChanged(counts.stockChanged() + beside, last);
  }

  /**
   * Entries of products that had none are all new; those of products whose rows stand apart come
   * last, since their keys do.
   */
  private void writeNew(long entries, int last) throws SQLException {
    if (entries == 0) {
      return;
    }
    List<ItemRange> ranges = ItemRange.split(last, entries);
    for (int i = 0; i < ranges.size(); i++) {
      ItemRange range = ranges.get(i);
      List<Keys> keys =
          sql.list(
              row -> new Keys(row.getInt(1) - 1, row.getInt(2)),
              """
              select coalesce(min(n.key), 1), coalesce(max(n.key), 0)
              from import_color_no n join import_item i using (item)
              where n.item > ? and n.item <= ? and i.runs = 1 and not i.has_stock
              """,
              range.after(),
              range.last());
      writeNew(
          "i.runs = 1 and n.item > %d and n.item <= %d".formatted(range.after(), range.last()),
          keys.getFirst());
      advance.accept(entries * (i + 1) / ranges.size() - entries * i / ranges.size());
    }
    if (sql.exists("select 1 from import_item where runs > 1 and not has_stock and not bad")) {
      writeNew("i.runs > 1", new Keys(0, Integer.MAX_VALUE));
    }
  }

  private void writeNew(String which, Keys keys) throws SQLException {
    sql.run(
        """
        with changed as (
          insert into stock_entry
            (merchant_id, product_id, color_no, size, quantity, guid, barcode)
          select ?, i.product_id, n.color_no, e.size, e.quantity, e.guid, e.barcode
          from import_entry e
          join import_color_no n on n.key = e.key and n.key > ? and n.key <= ?
          join import_item i on i.item = n.item
          where e.key > ? and e.key <= ? and not i.has_stock and %s
          returning product_id, color_no, size, null::int as quantity_before,
            quantity as quantity_after, null as barcode_before, barcode as barcode_after
        )
        """
                .formatted(which)
            + StockChanges.RECORD_NEW,
        merchantId,
        keys.after(),
        keys.last(),
        keys.after(),
        keys.last(),
        merchantId,
        actor.name(),
        Through.IMPORT.word());
  }

  /** {@code import_stock} holds old and new of every entry that changes beside others. */
  private void writeChanged(long entries, int last) throws SQLException {
    if (entries == 0) {
      return;
    }
    for (ItemRange range : ItemRange.split(last, entries)) {
      int created =
          sql.run(
              """
              insert into stock_entry
                (merchant_id, product_id, color_no, size, quantity, guid, barcode)
              select ?, product_id, color_no, size, quantity, guid, barcode
              from import_stock where fresh and item > ? and item <= ?
              """,
              merchantId,
              range.after(),
              range.last());
      sql.run(
          """
          with changed as (
            select product_id, color_no, size, old_quantity as quantity_before,
              quantity as quantity_after, old_barcode as barcode_before, barcode as barcode_after
            from import_stock where item > ? and item <= ?
          )
          """
              + StockChanges.RECORD_NEW,
          range.after(),
          range.last(),
          merchantId,
          actor.name(),
          Through.IMPORT.word());
      int changed =
          sql.run(
              """
              update stock_entry t set quantity = s.quantity, barcode = s.barcode
              from import_stock s
              where t.merchant_id = ? and t.product_id = s.product_id
                and t.color_no = s.color_no and t.size = s.size and not s.fresh
                and s.item > ? and s.item <= ?
              """,
              merchantId,
              range.after(),
              range.last());
      advance.accept((long) created + changed);
    }
  }
}
