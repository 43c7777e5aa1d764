package io.stockroom.server.imports;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.catalogue.ProductBlocks;
import io.stockroom.server.stock.StockChanges;
import io.stockroom.server.stock.Through;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Puts compared products into a merchant's catalogue. The merchant and the products are held, so
 * that numbers and ids grow together and the kept counts stay exact.
 */
final class CatalogueWriter {
  private static final int ENTRIES_AT_ONCE = 100_000;

  private final Sql sql;
  private final int merchantId;
  private final Actor actor;
  private final ProductFields fields;
  private final ProductIds ids;
  private final Progress progress;

  CatalogueWriter(
      Sql sql,
      int merchantId,
      Actor actor,
      ProductFields fields,
      ProductIds ids,
      Progress progress) {
    this.sql = sql;
    this.merchantId = merchantId;
    this.actor = actor;
    this.fields = fields;
    this.ids = ids;
    this.progress = progress;
  }

  /** The merchant, then the products in the order of their ids: as creates do. */
  static void hold(Sql sql, int merchantId) throws SQLException {
    sql.run("select 1 from merchant where merchant_id = ? for no key update", merchantId);
    sql.run(
        """
        select count(*) from (
          select 1 from product
          where merchant_id = ? and art_no in (select art_no from import_run)
          order by product_id for no key update
        ) held
        """,
        merchantId);
  }

  void write(long entries) throws SQLException {
    progress.at("writing", 0, Math.max(1, entries), "entries");
    long created = sql.number("select count(*) from import_item where fresh and not bad");
    if (created > 0) {
      ids.reserve(created);
      ids.use(sql, created);
      create(created);
    }
    change();
    writeColours();
    writeStock(entries);
    markStocked();
  }

  private void create(long created) throws SQLException {
    sql.run(
        """
        insert into product (merchant_id, product_id, number, has_stock, art_no, pic)
        select ?, i.product_id, i.number, i.item in (select item from import_colour_no), i.art_no,
          coalesce(p.imgs[1], '')
        from import_item i join import_product p on p.run = i.item
        where i.fresh and not i.bad
        order by i.number
        """,
        merchantId);
    sql.run(
        """
        insert into product_detail (merchant_id, product_id, %s)
        select ?, i.product_id, %s
        from import_item i join import_product p on p.run = i.item
        left join import_image m on m.item = i.item
        where i.fresh and not i.bad
        order by i.number
        """
            .formatted(ProductFields.columns(), fields.created()),
        merchantId);
    sql.run(
        """
        insert into product_block as b (merchant_id, level, block, products, with_stock)
        select ?, l.level, l.block, count(*),
          count(*) filter (where item in (select item from import_colour_no))
        from import_item cross join lateral %s
        where fresh and not bad
        group by l.level, l.block order by l.level, l.block
        on conflict (merchant_id, level, block) do update
        set products = b.products + excluded.products,
          with_stock = b.with_stock + excluded.with_stock
        """
            .formatted(ProductBlocks.levels("number")),
        merchantId);
    sql.run(
        "update merchant set products = products + ? where merchant_id = ?",
        (int) created,
        merchantId);
  }

  private void change() throws SQLException {
    sql.run(
        """
        update product t set pic = coalesce(n.imgs[1], '')
        from (
          select i.product_id, %s as imgs
          from import_item i left join import_product p on p.run = i.item
          where i.changed and not i.bad
        ) n
        where t.merchant_id = ? and t.product_id = n.product_id and n.imgs is not null
          and t.pic <> coalesce(n.imgs[1], '')
        """
            .formatted(fields.images()),
        merchantId);
    sql.run(
        """
        update product_detail t set (%s) = row(%s)
        from import_item i
        left join import_product p on p.run = i.item
        left join import_image m on m.item = i.item
        join product_detail d on d.merchant_id = ? and d.product_id = i.product_id
        where i.changed and not i.bad and t.merchant_id = ? and t.product_id = i.product_id
          and (%s)
        """
            .formatted(ProductFields.columns(), fields.changed(), fields.differing()),
        merchantId,
        merchantId);
  }

  private void writeColours() throws SQLException {
    sql.run(
        """
        insert into stock_colour (merchant_id, product_id, colour_no, colour)
        select distinct on (n.item, n.colour_no) ?, i.product_id, n.colour_no, n.colour
        from import_colour_no n join import_item i using (item)
        where n.fresh and i.runs > 1
        order by n.item, n.colour_no
        """,
        merchantId);
    sql.run(
        """
        insert into stock_colour (merchant_id, product_id, colour_no, colour)
        select ?, i.product_id, n.colour_no, n.colour
        from import_colour_no n join import_item i using (item)
        where n.fresh and i.runs = 1
        """,
        merchantId);
  }

  /**
   * The one place where an import writes stock entries, and their history: entries of products that
   * had none are all new, and {@code import_stock} holds old and new quantity and barcode of every
   * entry of the others that changes.
   */
  private void writeStock(long entries) throws SQLException {
    Integer last = lastKey();
    if (last != null) {
      long slices = Math.max(1, entries / ENTRIES_AT_ONCE);
      if (slices > 1) {
        sql.runAll("create index on import_entry using brin (key) with (pages_per_range = 16)");
      }
      for (long slice = 0; slice < slices; slice++) {
        int from = (int) (last * slice / slices);
        int to = (int) (last * (slice + 1) / slices);
        sql.run(
            """
            with changed as (
              insert into stock_entry
                (merchant_id, product_id, colour_no, size, quantity, guid, barcode)
              select ?, i.product_id, n.colour_no, e.size, e.quantity, e.guid, e.barcode
              from import_entry e
              join import_colour_no n on n.key = e.key and n.key > ? and n.key <= ?
              join import_item i on i.item = n.item
              where e.key > ? and e.key <= ? and not i.has_stock
              returning product_id, colour_no, size, null::int as quantity_before,
                quantity as quantity_after, null as barcode_before, barcode as barcode_after
            )
            """
                + StockChanges.RECORD_NEW,
            merchantId,
            from,
            to,
            from,
            to,
            merchantId,
            actor.name(),
            Through.IMPORT.word());
        progress.at("writing", entries * (slice + 1) / slices, entries, "entries");
      }
    }
    sql.run(
        """
        insert into stock_entry
          (merchant_id, product_id, colour_no, size, quantity, guid, barcode)
        select ?, product_id, colour_no, size, quantity, guid, barcode
        from import_stock where fresh
        """,
        merchantId);
    sql.run(
        """
        with changed as (
          select product_id, colour_no, size, old_quantity as quantity_before,
            quantity as quantity_after, old_barcode as barcode_before, barcode as barcode_after
          from import_stock
        )
        """
            + StockChanges.RECORD_NEW,
        merchantId,
        actor.name(),
        Through.IMPORT.word());
    sql.run(
        """
        update stock_entry t set quantity = s.quantity, barcode = s.barcode
        from import_stock s
        where t.merchant_id = ? and t.product_id = s.product_id and t.colour_no = s.colour_no
          and t.size = s.size and not s.fresh
        """,
        merchantId);
  }

  /** The last colour of a product without stock; null where there is none. */
  private @Nullable Integer lastKey() throws SQLException {
    int last =
        (int)
            sql.number(
                """
                select coalesce(max(n.key), 0)
                from import_colour_no n join import_item i using (item) where not i.has_stock
                """);
    return last == 0 ? null : last;
  }

  /** Products that were there without entries have some now. */
  private void markStocked() throws SQLException {
    sql.run(
        """
        with stocked as (
          update product t set has_stock = true
          from import_item i
          where t.merchant_id = ? and t.product_id = i.product_id and not i.fresh and not i.bad
            and not i.has_stock and i.item in (select item from import_colour_no)
          returning t.number
        ), counted as (
          select l.level, l.block, count(*) as added
          from stocked cross join lateral %s group by l.level, l.block
        ), held as (
          select b.level, b.block, c.added from product_block b join counted c using (level, block)
          where b.merchant_id = ? order by b.level, b.block for no key update of b
        )
        update product_block b set with_stock = b.with_stock + h.added
        from held h where b.merchant_id = ? and b.level = h.level and b.block = h.block
        """
            .formatted(ProductBlocks.levels("number")),
        merchantId,
        merchantId,
        merchantId);
  }
}
