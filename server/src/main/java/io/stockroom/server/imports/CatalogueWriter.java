package io.stockroom.server.imports;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.catalogue.ProductBlocks;
import java.sql.SQLException;
import java.util.List;

/**
 * Puts compared products into a merchant's catalogue. The merchant and the products are held, so
 * that numbers and ids grow together and the kept counts stay exact.
 */
final class CatalogueWriter {
  private final Sql sql;
  private final int merchantId;
  private final Actor actor;
  private final ProductFields fields;
  private final ProductIds ids;
  private final Progress progress;
  private long written;
  private long total;

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
    sql.run("select 1 from merchant_data where merchant_id = ? for no key update", merchantId);
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

  /** Writes what was counted. Each large statement is split, so that people see it advance. */
  void write(ImportReport.Counts counts) throws SQLException {
    long products = (long) counts.created() + counts.changed();
    total = products + counts.stockCreated() + counts.stockChanged();
    advance(0);
    long created = sql.number("select count(*) from import_item where fresh and not bad");
    if (created > 0) {
      ids.reserve(created);
      ids.use(sql, created);
    }
    int last = (int) sql.number("select coalesce(max(item), 0) from import_item");
    if (Math.max(products, total - products) > ItemRange.RECORDS_AT_ONCE) {
      sql.runAll(
          """
          create index on import_product using brin (run) with (pages_per_range = 16);
          create index on import_color_no using brin (item) with (pages_per_range = 16);
          create index on import_entry using brin (key) with (pages_per_range = 16);
          create index on import_stock (item);
          analyze import_stock
          """);
    }
    List<ItemRange> ranges = ItemRange.split(last, products);
    if (created > 0) {
      create(created, ranges);
    }
    change(ranges);
    advance(products - written);
    writeColours();
    new StockWriter(sql, merchantId, actor, this::advance).write(counts, last);
    markStocked();
  }

  private void advance(long records) {
    written += records;
    progress.at("writing", written, Math.max(1, total), "records");
  }

  private void create(long created, List<ItemRange> ranges) throws SQLException {
    for (ItemRange range : ranges) {
      sql.run(
          """
          insert into product (merchant_id, product_id, number, has_stock, art_no, pic)
          select ?, i.product_id, i.number,
            i.item in (select item from import_color_no where item > ? and item <= ?), i.art_no,
            coalesce(p.imgs[1], '')
          from import_item i join import_product p on p.run = i.item
          where i.fresh and not i.bad and i.item > ? and i.item <= ? and p.run > ? and p.run <= ?
          order by i.number
          """,
          merchantId,
          range.after(),
          range.last(),
          range.after(),
          range.last(),
          range.after(),
          range.last());
      int details =
          sql.run(
              """
              insert into product_detail (merchant_id, product_id, %s)
              select ?, i.product_id, %s
              from import_item i join import_product p on p.run = i.item
              left join import_image m on m.item = i.item
              where i.fresh and not i.bad and i.item > ? and i.item <= ?
                and p.run > ? and p.run <= ?
              order by i.number
              """
                  .formatted(ProductFields.columns(), fields.created()),
              merchantId,
              range.after(),
              range.last(),
              range.after(),
              range.last());
      advance(details);
    }
    sql.run(
        """
        insert into product_block as b (merchant_id, level, block, products, with_stock)
        select ?, l.level, l.block, count(*),
          count(*) filter (where item in (select item from import_color_no))
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
        "update merchant_data set products = products + ? where merchant_id = ?",
        (int) created,
        merchantId);
  }

  private void change(List<ItemRange> ranges) throws SQLException {
    for (ItemRange range : ranges) {
      sql.run(
          """
          update product t set pic = coalesce(n.imgs[1], '')
          from (
            select i.product_id, %s as imgs
            from import_item i
            left join import_product p on p.run = i.item and p.run > ? and p.run <= ?
            where i.changed and not i.bad and i.item > ? and i.item <= ?
          ) n
          where t.merchant_id = ? and t.product_id = n.product_id and n.imgs is not null
            and t.pic <> coalesce(n.imgs[1], '')
          """
              .formatted(fields.images()),
          range.after(),
          range.last(),
          range.after(),
          range.last(),
          merchantId);
      int changed =
          sql.run(
              """
              update product_detail t set (%s) = row(%s)
              from import_item i
              left join import_product p on p.run = i.item and p.run > ? and p.run <= ?
              left join import_image m on m.item = i.item
              join product_detail d on d.merchant_id = ? and d.product_id = i.product_id
              where i.changed and not i.bad and i.item > ? and i.item <= ? and t.merchant_id = ?
                and t.product_id = i.product_id and (%s)
              """
                  .formatted(ProductFields.columns(), fields.changed(), fields.differing()),
              range.after(),
              range.last(),
              merchantId,
              range.after(),
              range.last(),
              merchantId);
      advance(changed);
    }
  }

  private void writeColours() throws SQLException {
    sql.run(
        """
        insert into stock_color (merchant_id, product_id, color_no, color)
        select distinct on (n.item, n.color_no) ?, i.product_id, n.color_no, n.color
        from import_color_no n join import_item i using (item)
        where n.fresh and i.runs > 1
        order by n.item, n.color_no
        """,
        merchantId);
    sql.run(
        """
        insert into stock_color (merchant_id, product_id, color_no, color)
        select ?, i.product_id, n.color_no, n.color
        from import_color_no n join import_item i using (item)
        where n.fresh and i.runs = 1
        """,
        merchantId);
  }

  /** Products that were there without entries have some now. */
  private void markStocked() throws SQLException {
    sql.run(
        """
        with stocked as (
          update product t set has_stock = true
          from import_item i
          where t.merchant_id = ? and t.product_id = i.product_id and not i.fresh and not i.bad
            and not i.has_stock and i.item in (select item from import_color_no)
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
