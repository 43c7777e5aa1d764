package io.stockroom.files.imports.plan;

import java.sql.SQLException;

/** What the modes add and replace need besides the comparison of quantities. */
final class QuantityModes {
  private final ImportTransaction transaction;
  private final int merchantId;

  QuantityModes(ImportTransaction transaction, int merchantId) {
    this.transaction = transaction;
    this.merchantId = merchantId;
  }

  /**
   * A sum must not be negative, nor exceed what an entry can hold.
   *
   * @return how many entries are rejected
   */
  int rejectImpossibleSums(String column) throws SQLException {
    return transaction
        .call(
            """
            insert into import_problem (run, row, column_name, value, code, arguments)
            select i.item, e.row, :column, e.quantity::text,
              case when e.quantity < 0 then 'STOCK_INSUFFICIENT' else 'STOCK_TOO_LARGE' end,
              array[coalesce(s.quantity, 0)::text, e.quantity::text, :max::text]
            from import_item i
            join import_color_no n using (item)
            join import_entry e using (key)
            %s
            where coalesce(s.quantity, 0)::bigint + e.quantity not between 0 and :max
            """
                .formatted(Lookups.ENTRY))
        .set("column", column)
        .set("merchantId", merchantId)
        .set("max", Integer.MAX_VALUE)
        .update();
  }

  /**
   * The entries that the file leaves out, of products of which it has some. An entry whose cell is
   * empty is not left out: it stays as it is.
   */
  void zeroWhatIsLeftOut() throws SQLException {
    transaction.execute("create index on import_color_no (item); analyze import_blank");
    transaction
        .call(
            """
        insert into import_stock (item, key, row, product_id, color_no, size, size_text,
          old_quantity, quantity, old_barcode, barcode, guid, place)
        select i.item, null, i.row, i.product_id, s.color_no, s.size, s.size_text, s.quantity, 0,
          s.barcode, s.barcode, s.guid, s.place
        from import_item i
        cross join lateral (
          select ctid as place, * from stock_entry
          where merchant_id = :merchantId and product_id = i.product_id offset 0
        ) s
        left join (
          select n.item, n.color_no, e.size from import_color_no n join import_entry e using (key)
          union
          select r.item, c.color_no, b.size
          from import_blank b join import_run r using (run) join import_item j using (item)
          join stock_color c on c.merchant_id = :merchantId and c.product_id = j.product_id
            and c.color = b.color
        ) given on given.item = i.item and given.color_no = s.color_no and given.size = s.size
        where i.has_stock and not i.bad and s.quantity > 0 and given.item is null
          and i.item in (select item from import_color_no)
        """)
        .set("merchantId", merchantId)
        .update();
  }
}
