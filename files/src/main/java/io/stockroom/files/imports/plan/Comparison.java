package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.plan.ImportReport.Counts;
import io.stockroom.files.imports.read.Choices;
import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.ImportMode;
import io.stockroom.files.imports.read.Progress;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.util.List;

/**
 * Joins the rows of each product, checks them, and compares them with the catalog, all in set-based
 * statements. When applying, the merchant and the products are locked, so the result stays true
 * until the commit.
 */
public final class Comparison {
  /** Its own steps, one before for the lock on the products, and one after for the report. */
  private static final int STEPS = 10;

  private final ImportTransaction transaction;
  private final int merchantId;
  private final RowSource source;
  private final Staging staging;
  private final boolean uniqueBarcodes;
  private final Choices choices;
  private final ImportMode mode;
  private final QuantityModes modes;
  private final Progress progress;
  private final ProductFields fields;
  private long items;
  private int step;
  private long sharedBarcodes;

  public Comparison(
      ImportTransaction transaction,
      int merchantId,
      RowSource source,
      Staging staging,
      boolean uniqueBarcodes,
      Choices choices,
      Progress progress) {
    this.transaction = transaction;
    this.merchantId = merchantId;
    this.source = source;
    this.staging = staging;
    this.uniqueBarcodes = uniqueBarcodes;
    this.choices = choices;
    this.mode = choices.mode();
    this.modes = new QuantityModes(transaction, merchantId);
    this.progress = progress;
    this.fields = new ProductFields(source.columns());
    this.items = staging.runs();
  }

  public ProductFields fields() {
    return fields;
  }

  /** How many barcodes several entries would share, if the settings allow that. */
  public long sharedBarcodes() {
    return sharedBarcodes;
  }

  public void run() throws SQLException {
    findProducts();
    advance();
    if (transaction.call("select 1 from import_item where runs > 1 limit 1").exists()) {
      new Joining(transaction, source, choices.differing()).run();
    }
    markBad();
    advance();
    rejectArchived();
    requireFields();
    advance();
    if (staging.coded()) {
      judgeBarcodes();
    }
    advance();
    ColorNumbers colors = new ColorNumbers(transaction, merchantId);
    if (colors.number(fields.name(Field.COLOR)) > 0) {
      markBad();
      colors.dropBad();
    }
    if (mode == ImportMode.ADD && modes.rejectImpossibleSums(fields.name(Field.QUANTITY)) > 0) {
      markBad();
      colors.dropBad();
    }
    advance();
    compareImages();
    advance();
    compareProducts();
    advance();
    compareStock();
    advance();
  }

  /** Reports that the next step begins. */
  public void advance() {
    progress.at("comparing", items * step / STEPS, items, "products");
    step++;
  }

  /** Products whose entries were all removed still have colors, so they count as stocked here. */
  private void findProducts() throws SQLException {
    transaction.execute("analyze import_run");
    transaction
        .call(
            """
        insert into import_item (item, art_no, row, runs, fresh, product_id, number, has_stock,
          bad, changed, edited)
        select min(r.run), r.art_no, min(r.row), count(*), p.product_id is null, p.product_id,
          p.number, coalesce(p.has_stock or exists (
            select 1 from stock_color c
            where c.merchant_id = :merchantId and c.product_id = p.product_id
          ), false), false, false, false
        from import_run r
        %s
        group by r.art_no, p.product_id, p.number, p.has_stock
        order by 1
        """
                .formatted(Lookups.PRODUCT))
        .set("merchantId", merchantId)
        .update();
    transaction.execute(
        """
        analyze import_item; analyze import_product (run); analyze import_color (key, item, color);
        analyze import_entry (key, barcode)
        """);
    items = transaction.number("select count(*) from import_item");
  }

  private void markBad() throws SQLException {
    transaction
        .call(
            """
        update import_item set bad = true
        where not bad and item in (select r.item from import_problem f join import_run r using (run))
        """)
        .update();
  }

  /** An import neither restores a product nor gives its item number to another one. */
  private void rejectArchived() throws SQLException {
    int archived =
        transaction
            .call(
                """
            insert into import_problem (run, row, column_name, value, code, arguments)
            select i.item, i.row, :column, i.art_no, 'PRODUCT_ARCHIVED', array[i.art_no]
            from import_item i
            where i.fresh and not i.bad and exists (
              select 1 from archived_product
              where merchant_id = :merchantId and art_no = i.art_no offset 0)
            """)
            .set("column", fields.name(Field.ART_NO))
            .set("merchantId", merchantId)
            .update();
    if (archived > 0) {
      markBad();
    }
  }

  /** A new product needs a title and a price; an existing product keeps its own. */
  private void requireFields() throws SQLException {
    int incomplete =
        transaction
            .call(
                """
            insert into import_problem (run, row, column_name, value, code, arguments)
            select i.item, i.row, case when p.title is null then :titleColumn else :priceColumn end, '',
              'PRODUCT_INCOMPLETE',
              array[i.art_no, concat_ws(', ', case when p.title is null then 'title' end,
                case when p.cents is null then 'price' end)]
            from import_item i left join import_product p on p.run = i.item
            where i.fresh and not i.bad and (p.title is null or p.cents is null)
            """)
            .set("titleColumn", fields.name(Field.TITLE))
            .set("priceColumn", fields.name(Field.PRICE))
            .update();
    if (incomplete > 0) {
      markBad();
    }
  }

  private void judgeBarcodes() throws SQLException {
    transaction.execute(
        """
        create temp table import_barcode on commit drop as
        select barcode from import_entry where barcode is not null
        group by barcode having count(*) > 1
        """);
    BarcodeCheck check = new BarcodeCheck(transaction, merchantId, fields.name(Field.BAR_CODE));
    if (uniqueBarcodes && source.isForeign()) {
      leaveOutRepeatedBarcodes();
    }
    if (uniqueBarcodes) {
      if (check.rejectTwice(source) + check.rejectUsed() > 0) {
        markBad();
      }
    } else {
      sharedBarcodes = check.countShared();
    }
  }

  /** Other systems keep one barcode for all variants of a product, or a sample one for all. */
  private void leaveOutRepeatedBarcodes() throws SQLException {
    int left =
        transaction
            .call(
                """
                update import_entry set barcode = null
                where barcode in (select barcode from import_barcode)
                """)
            .update();
    source.notes().add(ErrorCode.BARCODES_LEFT_OUT, "", left, List.of());
    transaction.execute("delete from import_barcode");
  }

  /** The color pictures after the import; existing ones keep their order. */
  private void compareImages() throws SQLException {
    if (!staging.images()) {
      return;
    }
    transaction
        .call(
            """
        with given as (
          select c.item, c.color, min(c.image) as url, min(c.key) as key
          from import_color c join import_item i using (item)
          where c.image is not null and not i.bad
          group by c.item, c.color
        ), kept as (
          select i.item, k.color, k.url, k.place
          from import_item i
          %s
          cross join unnest(d.image_colors, d.image_urls) with ordinality k (color, url, place)
          where not i.fresh and i.item in (select item from given)
        )
        insert into import_image (item, colors, urls)
        select item, array_agg(color order by k.place, g.key),
          array_agg(coalesce(g.url, k.url) order by k.place, g.key)
        from given g full join kept k using (item, color)
        group by item
        """
                .formatted(Lookups.DETAIL))
        .set("merchantId", merchantId)
        .update();
  }

  private void compareProducts() throws SQLException {
    if (!staging.hasProductFields()) {
      return;
    }
    transaction
        .call(
            """
        update import_item t set changed = true, edited = true
        from import_item i
        left join import_product p on p.run = i.item
        left join import_image m on m.item = i.item
        %s
        where t.item = i.item and not i.fresh and not i.bad and (%s)
        """
                .formatted(Lookups.DETAIL, fields.differing()))
        .set("merchantId", merchantId)
        .update();
  }

  /** Stages only the entries that change. */
  private void compareStock() throws SQLException {
    boolean removed =
        transaction
            .call("select 1 from removed_entry where merchant_id = :merchantId limit 1")
            .set("merchantId", merchantId)
            .exists();
    transaction
        .call(
            """
        insert into import_stock (item, key, row, product_id, color_no, size, size_text,
          old_quantity, quantity, old_barcode, barcode, guid, place)
        select i.item, n.key, e.row, i.product_id, n.color_no, e.size, coalesce(s.size_text, %5$s e.size_text), s.quantity,
          %1$s,
          s.barcode, coalesce(e.barcode, s.barcode), coalesce(s.guid, %4$s e.guid), s.place
        from import_item i
        join import_color_no n using (item)
        join import_entry e using (key)
        %2$s
        %3$s
        where i.has_stock and not i.bad and (s.guid is null or s.quantity <> %1$s
          or e.barcode is not null and e.barcode is distinct from s.barcode)
        """
                .formatted(
                    mode == ImportMode.ADD ? "coalesce(s.quantity, 0) + e.quantity" : "e.quantity",
                    Lookups.ENTRY,
                    removed ? Lookups.REMOVED_ENTRY : "",
                    removed ? "r.guid," : "",
                    removed ? "r.size_text," : ""))
        .set("merchantId", merchantId)
        .update();
    if (mode == ImportMode.REPLACE) {
      modes.zeroWhatIsLeftOut();
    }
    StockChanges.total(transaction);
    transaction
        .call(
            """
        update import_item set changed = true
        where not fresh and not changed and not bad and (
          item in (select item from import_touched)
          or not has_stock and item in (select item from import_color_no))
        """)
        .update();
  }

  public Counts counts() throws SQLException {
    return transaction
        .call(
            """
            select i.*, s.stock_changed, s.left_out, s.fresh + c.new_entries as stock_created, c.entries,
              i.bad + (select count(distinct row) from import_problem where run is null) as failed
            from (
              select count(*) filter (where fresh and not bad) as created,
                count(*) filter (where changed and not bad) as changed,
                count(*) filter (where not fresh and not changed and not bad) as unchanged,
                count(*) filter (where bad) as bad
              from import_item
            ) i, (
              select coalesce(sum(fresh), 0) as fresh, coalesce(sum(left_out), 0) as left_out,
                coalesce(sum(entries - fresh), 0) as stock_changed
              from import_touched
            ) s, (
              select coalesce(sum(c.entries), 0) as entries,
                coalesce(sum(c.entries) filter (where not i.has_stock), 0) as new_entries
              from import_color c join import_item i using (item) where not i.bad
            ) c
            """)
        .list(
            row ->
                new Counts(
                    row.getInt("created"),
                    row.getInt("changed"),
                    row.getInt("unchanged"),
                    row.getInt("failed"),
                    row.getLong("stock_created"),
                    row.getLong("stock_changed"),
                    row.getLong("entries")
                        + row.getLong("left_out")
                        - row.getLong("stock_created")
                        - row.getLong("stock_changed")))
        .getFirst();
  }
}
