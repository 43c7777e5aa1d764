package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.RowSource;
import java.sql.SQLException;

/** Finds barcodes that more than one stock entry of the merchant would have after the import. */
final class BarcodeCheck {
  /** Entries of the file whose barcode another entry has and keeps. */
  private static final String USED =
      """
      from import_entry e
      join import_color c using (key)
      join import_item i on i.item = c.item and not i.bad
      join stock_entry s on s.merchant_id = :merchantId and s.barcode = e.barcode
      join stock_color o on o.merchant_id = s.merchant_id and o.product_id = s.product_id
        and o.color_no = s.color_no
      join product p on p.merchant_id = s.merchant_id and p.product_id = s.product_id
      where not (s.product_id = coalesce(i.product_id, 0) and o.color = c.color
          and s.size = e.size)
        and not exists (
          select 1 from import_item j
          join import_color d on d.item = j.item and d.color = o.color
          join import_entry f on f.key = d.key and f.size = s.size and f.barcode is not null
          where j.product_id = s.product_id and not j.bad)
      """;

  private final ImportTransaction transaction;
  private final int merchantId;
  private final String column;

  BarcodeCheck(ImportTransaction transaction, int merchantId, String column) {
    this.transaction = transaction;
    this.merchantId = merchantId;
    this.column = column;
  }

  int rejectTwice(RowSource source) throws SQLException {
    if (!transaction.call("select 1 from import_barcode limit 1").exists()) {
      return 0;
    }
    return transaction
        .call(
            """
        with entry as (
          select c.run, e.row, e.barcode, first_value(e.row) over same as first_row,
            row_number() over same as place
          from import_barcode b join import_entry e using (barcode)
          join import_color c using (key) join import_item i on i.item = c.item and not i.bad
          window same as (partition by e.barcode order by e.row, c.key, e.size)
        )
        insert into import_problem (run, row, column_name, value, code, arguments)
        select run, row, :column, barcode, 'BARCODE_IN_FILE_TWICE',
          array[barcode, (first_row % :rowsPerSheet)::text]
        from entry where place > 1
        """)
        .set("column", column)
        .set("rowsPerSheet", source.rowsOfASheet())
        .update();
  }

  int rejectUsed() throws SQLException {
    if (!anyThere()) {
      return 0;
    }
    return transaction
        .call(
            """
        insert into import_problem (run, row, column_name, value, code, arguments)
        select c.run, e.row, :column, e.barcode, 'BARCODE_USED', array[e.barcode, i.art_no, c.color,
          e.size_text, p.art_no, o.color, s.size_text]
        """
                + USED)
        .set("column", column)
        .set("merchantId", merchantId)
        .update();
  }

  long countShared() throws SQLException {
    long inFile = transaction.number("select count(*) from import_barcode");
    return anyThere()
        ? inFile
            + transaction
                .call("select count(distinct e.barcode) " + USED)
                .set("merchantId", merchantId)
                .one(row -> row.getLong(1))
        : inFile;
  }

  private boolean anyThere() throws SQLException {
    return transaction
        .call(
            "select 1 from stock_entry where merchant_id = :merchantId and barcode is not null limit 1")
        .set("merchantId", merchantId)
        .exists();
  }
}
