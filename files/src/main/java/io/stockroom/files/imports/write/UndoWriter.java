package io.stockroom.files.imports.write;

import io.stockroom.core.catalogue.ProductLocks;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.plan.ImportReport.Counts;
import io.stockroom.files.imports.plan.ImportTransaction;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.Progress;
import io.stockroom.protocol.ErrorCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Undoes a batch of the log, in set-based statements: restores every entry and every product whose
 * newest change is of this batch, and leaves the others as they are. Nothing is deleted: an entry
 * that the batch created gets the quantity 0, and a product that it created stays.
 */
public final class UndoWriter {
  private static final String TABLES =
      """
      create temp table undo_entry (
        change bigint, product_id int, color_no smallint, size varchar(41) collate "C",
        size_text varchar(20), old_quantity int,
        written int, quantity int, codes boolean, old_barcode varchar(64),
        barcode varchar(64), kept varchar(8), place tid) on commit drop;
      create temp table undo_later (
        product_id int, color_no smallint, size varchar(41) collate "C") on commit drop;
      create temp table undo_product (product_id int primary key, kept boolean) on commit drop;
      create temp table undo_change (%s) on commit drop;
      """
          .formatted(ChangeLog.COLUMNS);

  private static final Sql RECORD =
      ChangeLog.recording("with grouped as (select * from undo_change)");

  private record Changes(long first, long last) {}

  private final ImportTransaction transaction;
  private final int merchantId;
  private final int importId;
  private final long batch;
  private final Progress progress;
  private Changes changes = new Changes(0, 0);
  private long entries;
  private long products;
  private long kept;

  /**
   * An undo.
   *
   * @param importId the job that is undone
   * @param batch its batch in the log
   */
  public UndoWriter(
      ImportTransaction transaction, int merchantId, int importId, long batch, Progress progress) {
    this.transaction = transaction;
    this.merchantId = merchantId;
    this.importId = importId;
    this.batch = batch;
    this.progress = progress;
  }

  /** Locks the products of the batch; false if the log no longer has all of its changes. */
  public boolean find() throws SQLException {
    Changes found =
        merchant(
                """
                select a.first_change, a.last_change from audit a
                where a.merchant_id = :merchantId and a.number = :batch and exists (
                  select 1 from change_log c
                  where c.merchant_id = a.merchant_id and c.number = a.first_change)
                """)
            .set("batch", batch)
            .first(row -> new Changes(row.getLong(1), row.getLong(2)));
    if (found == null) {
      return false;
    }
    changes = found;
    ProductLocks.lockMerchant(transaction.connection(), merchantId);
    batch(
            """
            select count(*) from (
              select 1 from product
              where merchant_id = :merchantId and product_id = any (array(
                select distinct product_id from change_log
                where merchant_id = :merchantId and number between :first and :last))
              order by product_id for no key update
            ) held
            """)
        .update();
    return true;
  }

  /** Finds what to restore, and what somebody has changed since. */
  public void compare(boolean uniqueBarcodes) throws SQLException {
    long total = changes.last - changes.first + 1;
    progress.at("comparing", 0, total, "products");
    transaction.execute(TABLES);
    findEntries();
    progress.at("comparing", total / 2, total, "products");
    transaction.execute("analyze undo_entry (change, product_id, color_no, size)");
    keepChangedEntries();
    if (uniqueBarcodes) {
      keepTakenBarcodes();
    }
    later(
            """
            insert into undo_product (product_id, kept)
            select b.product_id, exists (
              select 1 from change_log l
              where l.merchant_id = b.merchant_id and l.product_id = b.product_id
                and l.number > :last and l.kind = 'product')
            from import_before b
            where b.merchant_id = :merchantId and b.import_id = :importId
            """)
        .set("importId", importId)
        .update();
    entries = transaction.number("select count(*) from undo_entry where kept is null");
    kept =
        transaction.number("select count(*) from undo_entry where kept is not null")
            + transaction.number("select count(*) from undo_product where kept");
    products = transaction.number("select count(*) from undo_product where not kept");
    progress.at("comparing", total, total, "products");
  }

  /**
   * Finds the entries that differ from what they were; a missing one was removed since. The inner
   * join has the entries of one product only, which is twice as fast as one join of all.
   */
  private void findEntries() throws SQLException {
    batch(
            """
            insert into undo_entry (change, product_id, color_no, size, size_text, old_quantity, written,
              quantity, codes, old_barcode, barcode, kept, place)
            select c.number, c.product_id, e.color_no, e.size, e.size_text, coalesce(e.old_quantity, 0),
              e.written, e.quantity, e.codes, e.old_barcode, e.barcode,
              case when e.quantity is null then 'changed' end, e.place
            from change_log c
            cross join lateral (
              select u.*, u.old_barcode is distinct from u.new_barcode as codes, s.place,
                s.quantity, s.barcode, s.size_text
              from unnest(c.colors, c.sizes, c.quantities_before, c.quantities_after,
                c.barcodes_before, c.barcodes_after)
                u (color_no, size, old_quantity, written, old_barcode, new_barcode)
              left join (
                select ctid as place, color_no, size, size_text, quantity, barcode from stock_entry
                where merchant_id = :merchantId and product_id = c.product_id offset 0
              ) s using (color_no, size)
              offset 0
            ) e
            where c.merchant_id = :merchantId and c.number between :first and :last
              and c.kind = 'stock' and (e.quantity is distinct from coalesce(e.old_quantity, 0)
                or e.codes and e.barcode is distinct from e.old_barcode)
            order by c.number
            """)
        .update();
  }

  private void keepChangedEntries() throws SQLException {
    int changed =
        later(
                """
                insert into undo_later (product_id, color_no, size)
                select distinct l.product_id, e.color_no, e.size
                from change_log l cross join lateral unnest(l.colors, l.sizes) e (color_no, size)
                where l.merchant_id = :merchantId and l.number > :last and l.kind = 'stock'
                """)
            .update();
    if (changed > 0) {
      transaction.execute("analyze undo_later");
      transaction
          .call(
              """
              update undo_entry u set kept = 'changed' from undo_later l
              where u.product_id = l.product_id and u.color_no = l.color_no and u.size = l.size
              """)
          .update();
    }
  }

  /** Each entry that is left as it is may keep the barcode of one more. */
  private void keepTakenBarcodes() throws SQLException {
    Sql keep =
        Sql.of(
            """
            update undo_entry u set kept = 'barcode'
            where u.kept is null and u.codes and u.old_barcode is not null and exists (
              select 1 from stock_entry s
              where s.merchant_id = :merchantId and s.barcode = u.old_barcode
                and (s.product_id, s.color_no, s.size) <> (u.product_id, u.color_no, u.size)
                and not exists (
                  select 1 from undo_entry o
                  where o.product_id = s.product_id and o.color_no = s.color_no
                    and o.size = s.size and o.kept is null and o.codes))
            """);
    if (transaction.number("select count(*) from undo_entry where codes") == 0) {
      return;
    }
    transaction.execute("create index on undo_entry (product_id)");
    while (transaction.call(keep).set("merchantId", merchantId).update() > 0) {
      progress.check();
    }
  }

  /** What will be restored; {@code failed} counts what is left as it is. */
  public Counts counts() {
    return new Counts(0, (int) products, 0, Math.toIntExact(kept), 0, entries, 0);
  }

  /** The entries and products that are left as they are, with their values. */
  public List<FileProblem> kept(int max) throws SQLException {
    if (kept == 0) {
      return List.of();
    }
    return merchant(
            """
            select * from (
              select p.art_no, concat_ws(' ', 'stock', c.color, u.size_text) as place,
                coalesce(u.quantity::text, '–') as value,
                case u.kept when 'barcode' then 'ENTRY_KEPT_BARCODE' else 'ENTRY_KEPT' end as code,
                array[p.art_no, c.color, u.size_text, u.old_quantity::text,
                  coalesce(u.written::text, '–'), coalesce(u.quantity::text, '–'),
                  coalesce(u.old_barcode, '')] as arguments,
                u.product_id, u.color_no, u.size
              from undo_entry u
              join product p on p.merchant_id = :merchantId and p.product_id = u.product_id
              join stock_color c on c.merchant_id = p.merchant_id
                and c.product_id = p.product_id and c.color_no = u.color_no
              where u.kept is not null
              union all
              select p.art_no, '', '', 'PRODUCT_KEPT', array[p.art_no], u.product_id, -1, ''
              from undo_product u
              join product p on p.merchant_id = :merchantId and p.product_id = u.product_id
              where u.kept
            ) k
            order by product_id, color_no, size limit :max
            """)
        .set("max", max)
        .list(UndoWriter::problem);
  }

  private static FileProblem problem(ResultSet row) throws SQLException {
    return new FileProblem(
        0,
        row.getString("place"),
        row.getString("value"),
        ErrorCode.valueOf(row.getString("code")),
        Arrays.asList((String[]) row.getArray("arguments").getArray()),
        row.getString("art_no"));
  }

  /** Says how many products of the batch stay although it created them. */
  public List<FileProblem> warnings() throws SQLException {
    return batch(
            """
            select count(*), min(p.art_no) from change_log c
            join product p on p.merchant_id = c.merchant_id and p.product_id = c.product_id
            where c.merchant_id = :merchantId and c.number between :first and :last and c.created
            having count(*) > 0
            """)
        .list(
            row ->
                FileProblem.of(
                    0, "", "", ErrorCode.PRODUCTS_STAY, row.getLong(1), row.getString(2)));
  }

  /**
   * Restores the values, in parts so that the progress is visible.
   *
   * @param undoId the job that undoes
   */
  public void write(int undoId) throws SQLException {
    long total = Math.max(1, entries + products);
    long written = 0;
    progress.at("writing", 0, total, "records");
    if (entries > ItemRange.RECORDS_AT_ONCE) {
      transaction.execute(
          "create index on undo_entry using brin (change) with (pages_per_range = 16)");
    }
    transaction.execute(PlacedEntries.BY_PLACE);
    int span = (int) (changes.last - changes.first + 1);
    for (ItemRange range : ItemRange.split(span, entries)) {
      written += writeEntries(changes.first + range.after(), changes.first + range.last() - 1);
      progress.at("writing", Math.min(written, total), total, "records");
    }
    transaction.execute(PlacedEntries.BY_ANY_PLAN);
    PlacedEntries.require(written, entries);
    if (products > 0) {
      new UndoneProducts(transaction, merchantId).write(importId, undoId);
    }
    batch(
            """
            update undo_change u set undoes = (
              select number from change_log
              where merchant_id = :merchantId and product_id = u.product_id and kind = u.kind
                and number between :first and :last limit 1)
            """)
        .update();
    progress.at("writing", total, total, "records");
  }

  /** As in {@link StockWriter}, each entry is updated in its place; all of them exist. */
  private int writeEntries(long from, long to) throws SQLException {
    transaction
        .call(
            ChangeLog.collectingStock(
                """
                with changed as (
                  select product_id, color_no, size, quantity as quantity_before,
                    old_quantity as quantity_after, barcode as barcode_before,
                    case when codes then old_barcode else barcode end as barcode_after
                  from undo_entry where kept is null and change between :from and :to
                )
                """,
                "undo_change"))
        .set("from", from)
        .set("to", to)
        .update();
    return merchant(
            """
            update stock_entry s set quantity = u.old_quantity,
              barcode = case when u.codes then u.old_barcode else u.barcode end
            from undo_entry u
            where s.ctid = u.place and s.merchant_id + 0 = :merchantId
              and u.kept is null and u.change between :from and :to
            """)
        .set("from", from)
        .set("to", to)
        .update();
  }

  /** Appends everything that was written to the merchant's log; the last step. */
  public @Nullable Long record(Origin origin) throws SQLException {
    return ChangeLog.recordBatch(transaction.call(RECORD), merchantId, origin);
  }

  private Sql.Call merchant(String statement) {
    return transaction.call(statement).set("merchantId", merchantId);
  }

  private Sql.Call batch(String statement) {
    return later(statement).set("first", changes.first);
  }

  private Sql.Call later(String statement) {
    return merchant(statement).set("last", changes.last);
  }
}
