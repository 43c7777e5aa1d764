package io.stockroom.server.imports;

import java.sql.SQLException;

/** Finds barcodes that would stand on more than one entry of the merchant after the import. */
final class BarcodeCheck {
  /** Entries of the file whose barcode an entry has that the file does not give another one. */
  private static final String USED =
      """
      from import_entry e
      join import_color c using (key)
      join import_item i on i.item = c.item and not i.bad
      join stock_entry s on s.merchant_id = ? and s.barcode = e.barcode
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

  private final Sql sql;
  private final int merchantId;
  private final String column;

  BarcodeCheck(Sql sql, int merchantId, String column) {
    this.sql = sql;
    this.merchantId = merchantId;
    this.column = column;
  }

  int refuseTwice(RowSource source) throws SQLException {
    if (!sql.exists("select 1 from import_barcode")) {
      return 0;
    }
    return sql.run(
        """
        with entry as (
          select c.run, e.row, e.barcode, first_value(e.row) over same as first_row,
            row_number() over same as place
          from import_barcode b join import_entry e using (barcode)
          join import_color c using (key) join import_item i on i.item = c.item and not i.bad
          window same as (partition by e.barcode order by e.row, c.key, e.size)
        )
        insert into import_fault (run, row, column_name, value, code, arguments)
        select run, row, ?, barcode, 'BARCODE_IN_FILE_TWICE',
          array[barcode, (first_row % ?)::text]
        from entry where place > 1
        """,
        column, source.rowsOfASheet());
  }

  int refuseUsed() throws SQLException {
    if (!anyThere()) {
      return 0;
    }
    return sql.run(
        """
        insert into import_fault (run, row, column_name, value, code, arguments)
        select c.run, e.row, ?, e.barcode, 'BARCODE_USED', array[e.barcode, i.art_no, c.color,
          e.size::text, p.art_no, o.color, s.size::text]
        """
            + USED,
        column,
        merchantId);
  }

  long countShared() throws SQLException {
    long inFile = sql.number("select count(*) from import_barcode");
    return anyThere()
        ? inFile + sql.number("select count(distinct e.barcode) " + USED, merchantId)
        : inFile;
  }

  private boolean anyThere() throws SQLException {
    return sql.exists(
        "select 1 from stock_entry where merchant_id = ? and barcode is not null", merchantId);
  }
}
