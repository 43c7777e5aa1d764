package io.stockroom.files.imports.write;

import io.stockroom.core.catalogue.ProductBlocks;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.plan.ImportTransaction;
import io.stockroom.files.imports.plan.Lookups;
import io.stockroom.files.imports.plan.ProductFields;
import io.stockroom.files.imports.read.Progress;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a plan into the merchant's catalog. The merchant and the products are locked, so that
 * numbers and ids grow together and the stored counts stay exact.
 */
public final class CatalogueWriter {
  private final ImportTransaction transaction;
  private final int merchantId;
  private final int importId;
  private final ProductFields fields;
  private final ProductIds ids;
  private final Progress progress;
  private long written;
  private long total;

  public CatalogueWriter(
      ImportTransaction transaction,
      int merchantId,
      int importId,
      ProductFields fields,
      ProductIds ids,
      Progress progress) {
    this.transaction = transaction;
    this.merchantId = merchantId;
    this.importId = importId;
    this.fields = fields;
    this.ids = ids;
    this.progress = progress;
  }

  /** Locks the merchant, then the products in the order of their ids, as creates do. */
  public static void hold(ImportTransaction transaction, int merchantId) throws SQLException {
    transaction
        .call("select 1 from merchant_data where merchant_id = :merchantId for no key update")
        .set("merchantId", merchantId)
        .update();
    transaction
        .call(
            """
        select count(*) from (
          select 1 from product
          where merchant_id = :merchantId and product_id = any (array(
            select p.product_id from (select distinct art_no from import_run) r
            cross join lateral (
              select product_id from product
              where merchant_id = :merchantId and art_no = r.art_no limit 1
            ) p))
          order by product_id for no key update
        ) held
        """)
        .set("merchantId", merchantId)
        .update();
  }

  /** Writes the plan. Large statements are split so that the progress is visible. */
  public void write(ImportReport.Counts counts) throws SQLException {
    long products = (long) counts.created() + counts.changed();
    total = products + counts.stockCreated() + counts.stockChanged();
    advance(0);
    transaction.execute(
        "create temporary table import_change (%s) on commit drop".formatted(ChangeLog.COLUMNS));
    long created = transaction.number("select count(*) from import_item where fresh and not bad");
    if (created > 0) {
      ids.reserve(created);
      ids.use(transaction, created);
    }
    int last = (int) transaction.number("select coalesce(max(item), 0) from import_item");
    if (Math.max(products, total - products) > ItemRange.RECORDS_AT_ONCE) {
      transaction.execute(
          """
          create index on import_product using brin (run) with (pages_per_range = 16);
          create index on import_color_no using brin (item) with (pages_per_range = 16);
          create index on import_entry using brin (key) with (pages_per_range = 16)
          """);
    }
    List<ItemRange> ranges = ItemRange.split(last, products);
    if (created > 0) {
      create(created, ranges);
    }
    long edited = transaction.number("select count(*) from import_item where edited");
    if (edited > 0) {
      change(edited, ranges);
    }
    advance(products - written);
    writeColors();
    new StockWriter(transaction, merchantId, this::advance).write(counts, last);
    markStocked();
  }

  private static final Sql RECORD =
      ChangeLog.recording("with grouped as (select * from import_change)");

  /**
   * Appends everything that was written to the merchant's log; the last step of an import.
   *
   * @return the batch; null if nothing changed
   */
  public @Nullable Long record(Origin origin) throws SQLException {
    return ChangeLog.recordBatch(transaction.call(RECORD), merchantId, origin);
  }

  private void advance(long records) {
    written += records;
    progress.at("writing", written, Math.max(1, total), "records");
  }

  private void create(long created, List<ItemRange> ranges) throws SQLException {
    for (ItemRange range : ranges) {
      transaction
          .call(
              """
          insert into product (merchant_id, product_id, number, has_stock, art_no, pic)
          select :merchantId, i.product_id, i.number,
            i.item in (select item from import_color_no where item > :after and item <= :last), i.art_no,
            coalesce(p.imgs[1], '')
          from import_item i join import_product p on p.run = i.item
          where i.fresh and not i.bad and i.item > :after and i.item <= :last and p.run > :after and p.run <= :last
          order by i.number
          """)
          .set("merchantId", merchantId)
          .set("after", range.after())
          .set("last", range.last())
          .update();
      int details =
          transaction
              .call(
                  """
              insert into product_detail (merchant_id, product_id, %s)
              select :merchantId, i.product_id, %s
              from import_item i join import_product p on p.run = i.item
              left join import_image m on m.item = i.item
              where i.fresh and not i.bad and i.item > :after and i.item <= :last
                and p.run > :after and p.run <= :last
              order by i.number
              """
                      .formatted(ProductFields.columns(), fields.created()))
              .set("merchantId", merchantId)
              .set("after", range.after())
              .set("last", range.last())
              .update();
      advance(details);
    }
    transaction
        .call(
            """
        insert into product_block as b (merchant_id, level, block, products, with_stock)
        select :merchantId, l.level, l.block, count(*),
          count(*) filter (where item in (select item from import_color_no))
        from import_item cross join lateral %s
        where fresh and not bad
        group by l.level, l.block order by l.level, l.block
        on conflict (merchant_id, level, block) do update
        set products = b.products + excluded.products,
          with_stock = b.with_stock + excluded.with_stock
        """
                .formatted(ProductBlocks.levels("number")))
        .set("merchantId", merchantId)
        .update();
    transaction
        .call(
            "update merchant_data set products = products + :created where merchant_id = :merchantId")
        .set("created", (int) created)
        .set("merchantId", merchantId)
        .update();
    transaction
        .call(
            """
        insert into import_change (product_id, kind, created, fields)
        select product_id, 'product', true, :fields from import_item where fresh and not bad
        """)
        .set("fields", ChangeLog.PRODUCT_FIELDS.toArray(String[]::new))
        .update();
  }

  /** Writes the fields of existing products that the comparison found to differ. */
  private void change(long edited, List<ItemRange> ranges) throws SQLException {
    String items =
        """
        from import_item i
        left join import_product p on p.run = i.item and p.run > :after and p.run <= :last
        left join import_image m on m.item = i.item
        %s
        where i.edited and i.item > :after and i.item <= :last
        """
            .formatted(Lookups.DETAIL);
    long changed = 0;
    for (ItemRange range : ranges) {
      in(
              range,
              """
              update product t set pic = coalesce(n.imgs[1], '')
              from (
                select o.place, %1$s as imgs
                from import_item i join import_product p on p.run = i.item
                cross join lateral (
                  select ctid as place from product
                  where merchant_id = :merchantId and product_id = i.product_id
                    and pic <> coalesce((%1$s)[1], '') limit 1
                ) o
                where i.edited and i.item > :after and i.item <= :last
                  and p.run > :after and p.run <= :last and %1$s is not null
              ) n
              where t.ctid = n.place and t.merchant_id + 0 = :merchantId
              """
                  .formatted(fields.images()))
          .update();
      in(
              range,
              """
              insert into import_change (product_id, kind, created, fields)
              select i.product_id, 'product', false, %s
              """
                      .formatted(fields.differingNames())
                  + items)
          .update();
      in(
              range,
              """
              insert into import_before (merchant_id, import_id, product_id, %s)
              select :merchantId, :importId, i.product_id, %s
              """
                      .formatted(ProductFields.columns(), fields.before())
                  + items)
          .set("importId", importId)
          .update();
      int details =
          in(
                  range,
                  "update product_detail t set (%s) = row(%s) "
                          .formatted(ProductFields.columns(), fields.changed())
                      + items
                      + " and t.ctid = d.place and t.merchant_id + 0 = :merchantId")
              .update();
      changed += details;
      advance(details);
    }
    PlacedEntries.require(changed, edited);
  }

  private Sql.Call in(ItemRange range, String statement) {
    return transaction
        .call(statement)
        .set("merchantId", merchantId)
        .set("after", range.after())
        .set("last", range.last());
  }

  private void writeColors() throws SQLException {
    transaction
        .call(
            """
        insert into stock_color (merchant_id, product_id, color_no, color)
        select distinct on (n.item, n.color_no) :merchantId, i.product_id, n.color_no, n.color
        from import_color_no n join import_item i using (item)
        where n.fresh and i.runs > 1
        order by n.item, n.color_no
        """)
        .set("merchantId", merchantId)
        .update();
    transaction
        .call(
            """
        insert into stock_color (merchant_id, product_id, color_no, color)
        select :merchantId, i.product_id, n.color_no, n.color
        from import_color_no n join import_item i using (item)
        where n.fresh and i.runs = 1
        """)
        .set("merchantId", merchantId)
        .update();
  }

  /** Marks existing products that get their first stock entries. */
  private void markStocked() throws SQLException {
    transaction
        .call(
            """
        with stocked as (
          update product set has_stock = true
          where merchant_id + 0 = :merchantId and ctid = any (array(
            select p.place from import_item i
            cross join lateral (
              select ctid as place from product
              where merchant_id = :merchantId and product_id = i.product_id
                and not has_stock limit 1
            ) p
            where not i.fresh and not i.bad and i.item in (select item from import_color_no)))
          returning number
        ), counted as (
          select l.level, l.block, count(*) as added
          from stocked cross join lateral %s group by l.level, l.block
        ), held as (
          select b.level, b.block, c.added from product_block b join counted c using (level, block)
          where b.merchant_id = :merchantId order by b.level, b.block for no key update of b
        )
        update product_block b set with_stock = b.with_stock + h.added
        from held h where b.merchant_id = :merchantId and b.level = h.level and b.block = h.block
        """
                .formatted(ProductBlocks.levels("number")))
        .set("merchantId", merchantId)
        .update();
  }
}
