package io.stockroom.files.imports.write;

import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.plan.ImportTransaction;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongConsumer;

/** Writes stock entries, and collects their changes in {@code import_change}. */
final class StockWriter {
  /** The colors of some products: those after {@code after}, up to {@code last}. */
  private record Keys(int after, int last) {}

  private static final Sql COLLECT =
      ChangeLog.collectingStock(
          """
          with changed as (
            select product_id, color_no, size, old_quantity as quantity_before,
              quantity as quantity_after, old_barcode as barcode_before, barcode as barcode_after
            from import_stock where item > :after and item <= :last
          )
          """,
          "import_change");

  private static final Sql UPDATE =
      Sql.of(
          """
          update stock_entry s set quantity = i.quantity, barcode = i.barcode
          from import_stock i
          where s.ctid = i.place and s.merchant_id + 0 = :merchantId
            and i.item > :after and i.item <= :last
          """);

  private static final Sql INSERT =
      Sql.of(
          """
          insert into stock_entry
            (merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode)
          select :merchantId, product_id, color_no, size, size_text, quantity, guid, barcode
          from import_stock where place is null and item > :after and item <= :last
          """);

  private final ImportTransaction transaction;
  private final int merchantId;
  private final LongConsumer advance;

  /**
   * Writes for a merchant.
   *
   * @param advance receives the number of entries written since the last call
   */
  StockWriter(ImportTransaction transaction, int merchantId, LongConsumer advance) {
    this.transaction = transaction;
    this.merchantId = merchantId;
    this.advance = advance;
  }

  /** Writes the entries of all items up to the last. */
  void write(ImportReport.Counts counts, int last) throws SQLException {
    long beside = transaction.number("select coalesce(sum(fresh), 0) from import_touched");
    writeNew(counts.stockCreated() - beside, last);
    writeChanged(counts.stockChanged(), beside, last);
  }

  /**
   * Writes all entries of products that had none. Products whose rows are not consecutive come
   * last, because their keys do.
   */
  private void writeNew(long entries, int last) throws SQLException {
    if (entries == 0) {
      return;
    }
    List<ItemRange> ranges = ItemRange.split(last, entries);
    for (int i = 0; i < ranges.size(); i++) {
      ItemRange range = ranges.get(i);
      List<Keys> keys =
          transaction
              .call(
                  """
              select coalesce(min(n.key), 1), coalesce(max(n.key), 0)
              from import_color_no n join import_item i using (item)
              where n.item > :after and n.item <= :last and i.runs = 1 and not i.has_stock
              """)
              .set("after", range.after())
              .set("last", range.last())
              .list(row -> new Keys(row.getInt(1) - 1, row.getInt(2)));
      writeNew(
          "i.runs = 1 and n.item > %d and n.item <= %d".formatted(range.after(), range.last()),
          keys.getFirst());
      advance.accept(entries * (i + 1) / ranges.size() - entries * i / ranges.size());
    }
    if (transaction
        .call("select 1 from import_item where runs > 1 and not has_stock and not bad limit 1")
        .exists()) {
      writeNew("i.runs > 1", new Keys(0, Integer.MAX_VALUE));
    }
  }

  private void writeNew(String which, Keys keys) throws SQLException {
    transaction
        .call(
            ChangeLog.collectingStock(
                """
        with changed as (
          insert into stock_entry
            (merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode)
          select :merchantId, i.product_id, n.color_no, e.size, e.size_text, e.quantity, e.guid,
            e.barcode
          from import_entry e
          join import_color_no n on n.key = e.key and n.key > :afterKey and n.key <= :lastKey
          join import_item i on i.item = n.item
          where e.key > :afterKey and e.key <= :lastKey and not i.has_stock and %s
          returning product_id, color_no, size, null::int as quantity_before,
            quantity as quantity_after, null as barcode_before, barcode as barcode_after
        )
        """
                    .formatted(which),
                "import_change"))
        .set("merchantId", merchantId)
        .set("afterKey", keys.after())
        .set("lastKey", keys.last())
        .update();
  }

  /**
   * {@code import_stock} holds the old and new values of changed entries of products with stock.
   * The locks on the products keep each entry at the place where the comparison found it; an entry
   * without a place is new.
   */
  private void writeChanged(long changed, long added, int last) throws SQLException {
    long entries = changed + added;
    if (entries == 0) {
      return;
    }
    if (entries > ItemRange.RECORDS_AT_ONCE) {
      transaction.execute(
          "create index on import_stock using brin (item) with (pages_per_range = 16)");
    }
    long written = 0;
    transaction.execute(PlacedEntries.BY_PLACE);
    for (ItemRange range : ItemRange.split(last, entries)) {
      transaction.call(COLLECT).set("after", range.after()).set("last", range.last()).update();
      long updated =
          transaction
              .call(UPDATE)
              .set("merchantId", merchantId)
              .set("after", range.after())
              .set("last", range.last())
              .update();
      long inserted =
          added == 0
              ? 0
              : transaction
                  .call(INSERT)
                  .set("merchantId", merchantId)
                  .set("after", range.after())
                  .set("last", range.last())
                  .update();
      written += updated + inserted;
      advance.accept(updated + inserted);
    }
    transaction.execute(PlacedEntries.BY_ANY_PLAN);
    PlacedEntries.require(written, entries);
  }
}
