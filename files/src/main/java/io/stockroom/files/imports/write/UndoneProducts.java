package io.stockroom.files.imports.write;

import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.plan.ImportTransaction;
import io.stockroom.files.imports.plan.ProductFields;
import java.sql.SQLException;

/** Restores the fields of products in {@code undo_product} that have not changed since. */
final class UndoneProducts {
  private final ImportTransaction transaction;
  private final int merchantId;

  UndoneProducts(ImportTransaction transaction, int merchantId) {
    this.transaction = transaction;
    this.merchantId = merchantId;
  }

  /** Restores product fields, and stores their present values so that this can be undone. */
  void write(int importId, int undoId) throws SQLException {
    String restored =
        """
        from undo_product u
        cross join lateral (
          select * from import_before
          where merchant_id = :merchantId and import_id = :importId
            and product_id = u.product_id limit 1
        ) b
        cross join lateral (
          select ctid as place, * from product_detail
          where merchant_id = :merchantId and product_id = u.product_id limit 1
        ) d
        where not u.kept
        """;
    merchant(
            """
            insert into import_before (merchant_id, import_id, product_id, %s)
            select :merchantId, :undoId, u.product_id, %s %s
            """
                .formatted(ProductFields.columns(), ProductFields.present(), restored))
        .set("importId", importId)
        .set("undoId", undoId)
        .update();
    merchant(
            """
            insert into undo_change (product_id, kind, created, fields)
            select u.product_id, 'product', false, %s %s
            """
                .formatted(ProductFields.restoredNames(), restored))
        .set("importId", importId)
        .update();
    merchant(
            """
            update product t set pic = coalesce(n.imgs[1], '')
            from (
              select o.place, b.imgs from undo_product u
              cross join lateral (
                select imgs from import_before
                where merchant_id = :merchantId and import_id = :importId
                  and product_id = u.product_id and imgs is not null limit 1
              ) b
              cross join lateral (
                select ctid as place from product
                where merchant_id = :merchantId and product_id = u.product_id
                  and pic <> coalesce(b.imgs[1], '') limit 1
              ) o
              where not u.kept
            ) n
            where t.ctid = n.place and t.merchant_id + 0 = :merchantId
            """)
        .set("importId", importId)
        .update();
    merchant(
            """
            update product_detail t set (%s) = row(%s) %s
              and t.ctid = d.place and t.merchant_id + 0 = :merchantId
            """
                .formatted(ProductFields.columns(), ProductFields.restored(), restored))
        .set("importId", importId)
        .update();
  }

  private Sql.Call merchant(String statement) {
    return transaction.call(statement).set("merchantId", merchantId);
  }
}
