package io.stockroom.core.catalogue;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Archives products and restores them. An archived product has moved to other tables, so that
 * everything else treats it as missing; the change log says that its entries were removed. Its id,
 * its item number and the guids of its entries stay its own.
 */
public final class ProductArchive {
  public static final int PAGE = 50;

  /**
   * An archived product.
   *
   * @param entries how many stock entries come back with it
   */
  public record Archived(
      int id,
      String artNo,
      String title,
      String pic,
      Instant archivedAt,
      int entries,
      long quantity) {}

  /**
   * Some archived products, the newest first.
   *
   * @param total how many there are in all
   */
  public record Page(int total, List<Archived> rows) {}

  /** What became of a restore. */
  public sealed interface Restore {
    record Done() implements Restore {}

    /** No such product is archived. */
    record Missing() implements Restore {}

    /** Nothing is written: other entries have its barcodes now. */
    record Rejected(List<Problem> problems) implements Restore {}
  }

  private static final Sql ARCHIVE =
      ChangeLog.recording(
          """
          with entries as (
            delete from stock_entry
            where merchant_id = :merchantId and product_id = any (:productIds)
            returning *
          ), remembered as (
            insert into removed_entry
              (merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode, archived)
            select merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode, true
            from entries
            on conflict (merchant_id, product_id, color_no, size) do update
            set size_text = excluded.size_text, quantity = excluded.quantity,
              barcode = excluded.barcode, archived = true
          ), details as (
            delete from product_detail
            where merchant_id = :merchantId and product_id = any (:productIds)
            returning *
          ), products as (
            delete from product
            where merchant_id = :merchantId and product_id = any (:productIds)
            returning *
          ), moved_products as (
            insert into archived_product (merchant_id, product_id, %1$s, number, art_no, pic)
            select merchant_id, product_id, %1$s, number, art_no, pic
            from details join products using (merchant_id, product_id)
          ), merchant as (
            update merchant_data m
            set products = m.products - :count, archived = m.archived + :count
            where m.merchant_id = :merchantId
          ), grouped as (
            select product_id, 'product' as kind, false as created,
              array['archived'] as fields, %2$s
            from products
            union all
            select product_id, 'stock', null, null, array_agg(color_no), array_agg(size),
              array_agg(quantity), array_agg(null::int),
              case when count(barcode) > 0 then array_agg(barcode) end,
              case when count(barcode) > 0 then array_agg(null::text) end, null
            from entries group by product_id
          )
          """
              .formatted(ProductWriter.COLUMNS, ChangeLog.NO_STOCK));

  private static final Sql RESTORE =
      ChangeLog.recording(
          """
          with products as (
            delete from archived_product
            where merchant_id = :merchantId and product_id = any (:productIds)
            returning *
          ), entries as (
            delete from removed_entry
            where merchant_id = :merchantId and product_id = any (:productIds) and archived
            returning *
          ), put_product as (
            insert into product (merchant_id, product_id, number, has_stock, art_no, pic)
            select merchant_id, product_id, number, exists (
                select 1 from entries e where e.product_id = p.product_id
              ), art_no, pic
            from products p
          ), put_detail as (
            insert into product_detail (merchant_id, product_id, %1$s)
            select merchant_id, product_id, %1$s from products
          ), put_entries as (
            insert into stock_entry
              (merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode)
            select merchant_id, product_id, color_no, size, size_text, quantity, guid, barcode
            from entries
          ), merchant as (
            update merchant_data set products = products + :count, archived = archived - :count
            where merchant_id = :merchantId
          ), grouped as (
            select product_id, 'product' as kind, false as created,
              array['restored'] as fields, %2$s
            from products
            union all
            select product_id, 'stock', null, null, array_agg(color_no), array_agg(size),
              array_agg(null::int), array_agg(quantity),
              case when count(barcode) > 0 then array_agg(null::text) end,
              case when count(barcode) > 0 then array_agg(barcode) end, null
            from entries group by product_id
          )
          """
              .formatted(ProductWriter.COLUMNS, ChangeLog.NO_STOCK));

  private final Cells cells;
  private final boolean uniqueBarcodes;

  public ProductArchive(Cells cells, boolean uniqueBarcodes) {
    this.cells = cells;
    this.uniqueBarcodes = uniqueBarcodes;
  }

  /** Archives a product; false if this merchant has no such product. */
  public boolean archive(int merchantId, int productId, Actor actor) throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              ProductLocks.lockMerchant(connection, merchantId);
              return archive(connection, merchantId, Set.of(productId), actor, ChangeSource.CONSOLE)
                  != null;
            });
  }

  /**
   * Archives products, in a transaction that has locked the merchant.
   *
   * @return the number of the last change; null if none of the products exists
   */
  @Nullable Long archive(
      Connection connection,
      int merchantId,
      Set<Integer> productIds,
      Actor actor,
      ChangeSource source)
      throws SQLException {
    Map<Integer, ProductLocks.Locked> products =
        ProductLocks.lockProducts(connection, merchantId, productIds);
    if (products.isEmpty()) {
      return null;
    }
    ProductBlocks.subtract(connection, merchantId, products.values());
    return write(
        ARCHIVE, connection, merchantId, products.keySet(), "product.archive", actor, source);
  }

  private static @Nullable Long write(
      Sql statement,
      Connection connection,
      int merchantId,
      Set<Integer> productIds,
      String action,
      Actor actor,
      ChangeSource source)
      throws SQLException {
    return ChangeLog.record(
        on(statement, connection, productIds).set("count", productIds.size()),
        merchantId,
        new Origin(actor, source, action, ProductNames.subject(productIds.stream()), ""));
  }

  private static Sql.Call on(Sql statement, Connection connection, Set<Integer> productIds) {
    return statement
        .on(connection)
        .set("productIds", productIds.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Brings a product back as it was, with its stock. */
  public Restore restore(int merchantId, int productId, Actor actor) throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              ProductLocks.lockMerchant(connection, merchantId);
              Set<Integer> ids = Set.of(productId);
              List<Problem> problems =
                  usedBarcodes(connection, merchantId, ids).stream()
                      .map(used -> used.problem("barCode"))
                      .toList();
              if (!problems.isEmpty()) {
                return new Restore.Rejected(problems);
              }
              return restore(connection, merchantId, ids, actor, ChangeSource.CONSOLE) == null
                  ? new Restore.Missing()
                  : new Restore.Done();
            });
  }

  /**
   * Restores products without {@link #usedBarcodes}, in a transaction that has locked the merchant.
   *
   * @return the number of the last change; null if none of the products is archived
   */
  @Nullable Long restore(
      Connection connection,
      int merchantId,
      Set<Integer> productIds,
      Actor actor,
      ChangeSource source)
      throws SQLException {
    Map<Integer, ProductLocks.Locked> products = archived(connection, merchantId, productIds);
    if (products.isEmpty()) {
      return null;
    }
    ProductBlocks.add(connection, merchantId, products.values());
    return write(
        RESTORE, connection, merchantId, products.keySet(), "product.restore", actor, source);
  }

  private static final Sql NUMBERS =
      Sql.of(
          """
          select product_id, number, exists (
            select 1 from removed_entry r
            where r.merchant_id = a.merchant_id and r.product_id = a.product_id and r.archived
          ) as has_stock
          from archived_product a
          where merchant_id = :merchantId and product_id = any (:productIds)
          """);

  private static Map<Integer, ProductLocks.Locked> archived(
      Connection connection, int merchantId, Set<Integer> productIds) throws SQLException {
    Map<Integer, ProductLocks.Locked> archived = new HashMap<>();
    on(NUMBERS, connection, productIds)
        .set("merchantId", merchantId)
        .forEach(
            row ->
                archived.put(
                    row.getInt("product_id"),
                    new ProductLocks.Locked(row.getInt("number"), row.getBoolean("has_stock"))));
    return archived;
  }

  /** A barcode of an archived product that another entry has, or will have. */
  record UsedBarcode(int productId, List<Object> arguments) {
    Problem problem(String at) {
      return new Problem(at, ErrorCode.PRODUCT_RESTORE_BARCODE, arguments);
    }
  }

  private static final Sql USED_BARCODES =
      Sql.of(
          """
          select r.product_id, a.art_no, r.barcode, e.product_id as used_by, c.color, e.size_text
          from removed_entry r
          join archived_product a using (merchant_id, product_id)
          cross join lateral (
            select product_id, color_no, size_text from stock_entry
            where merchant_id = r.merchant_id and barcode = r.barcode
            union all
            select product_id, color_no, size_text from removed_entry o
            where merchant_id = r.merchant_id and product_id = any (:productIds) and archived
              and barcode = r.barcode and product_id < r.product_id
          ) e
          join stock_color c on c.merchant_id = r.merchant_id and c.product_id = e.product_id
            and c.color_no = e.color_no
          where r.merchant_id = :merchantId and r.product_id = any (:productIds) and r.archived
          order by r.product_id, r.color_no, r.size limit 20
          """);

  /** Why products cannot be restored; empty if barcodes need not be unique. */
  List<UsedBarcode> usedBarcodes(Connection connection, int merchantId, Set<Integer> productIds)
      throws SQLException {
    return !uniqueBarcodes
        ? List.of()
        : on(USED_BARCODES, connection, productIds)
            .set("merchantId", merchantId)
            .list(
                row ->
                    new UsedBarcode(
                        row.getInt("product_id"),
                        List.of(
                            row.getString("art_no"),
                            row.getString("barcode"),
                            row.getInt("used_by"),
                            row.getString("color"),
                            row.getString("size_text"))));
  }

  private static final String ROWS =
      """
      select a.product_id, a.art_no, a.title, a.pic, a.archived_at, s.entries, s.quantity
      from archived_product a
      cross join lateral (
        select count(*) as entries, coalesce(sum(quantity), 0) as quantity from removed_entry r
        where r.merchant_id = a.merchant_id and r.product_id = a.product_id and r.archived
      ) s
      where a.merchant_id = :merchantId
      """;

  private static final Sql NEWEST =
      Sql.of(
          ROWS
              + """
                order by a.archived_at desc, a.product_id desc
                limit :limit offset :offset
                """);

  private static final Sql FIND = Sql.of(ROWS + " and a.product_id = :productId");

  private static final Sql BY_ART_NO =
      Sql.of(
          """
          select product_id from product where merchant_id = :merchantId and art_no = :artNo
          union all
          select product_id from archived_product
          where merchant_id = :merchantId and art_no = :artNo
          """);

  private static final Sql TOTAL =
      Sql.of("select archived from merchant_data where merchant_id = :merchantId");

  /** A page of the archived products; the first page is 1. */
  public Page page(int merchantId, int page) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                new Page(
                    TOTAL.on(connection).set("merchantId", merchantId).one(row -> row.getInt(1)),
                    NEWEST
                        .on(connection)
                        .set("merchantId", merchantId)
                        .set("limit", PAGE)
                        .set("offset", (page - 1L) * PAGE)
                        .list(ProductArchive::read)));
  }

  /** Null if no such product is archived. */
  public @Nullable Archived find(int merchantId, int productId) throws SQLException {
    return cells
        .of(merchantId)
        .<@Nullable Archived>read(
            connection ->
                FIND.on(connection)
                    .set("merchantId", merchantId)
                    .set("productId", productId)
                    .first(ProductArchive::read));
  }

  /** The id of the product with this item number, archived or not; null if there is none. */
  public @Nullable Integer idOf(int merchantId, String artNo) throws SQLException {
    return cells
        .of(merchantId)
        .<@Nullable Integer>read(
            connection ->
                BY_ART_NO
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("artNo", artNo)
                    .first(row -> row.getInt("product_id")));
  }

  private static Archived read(ResultSet row) throws SQLException {
    return new Archived(
        row.getInt("product_id"),
        row.getString("art_no"),
        row.getString("title"),
        row.getString("pic"),
        Sql.instant(row, "archived_at"),
        row.getInt("entries"),
        row.getLong("quantity"));
  }
}
