package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.imports.ImportReport.Difference;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a comparison has to say beside its counts: differences, warnings and faults. */
final class Findings {
  private static final int MOST_DIFFERENCES = 20;
  private static final int MOST_FAULTS = 100;

  private final Sql sql;
  private final int merchantId;
  private final RowSource source;
  private final ProductFields fields;

  Findings(Sql sql, int merchantId, RowSource source, ProductFields fields) {
    this.sql = sql;
    this.merchantId = merchantId;
    this.source = source;
    this.fields = fields;
  }

  /** The first differences of products that are there, in the order of the file. */
  List<Difference> differences() throws SQLException {
    List<Difference> all = new ArrayList<>(fieldDifferences());
    all.addAll(stockDifferences());
    return all.stream()
        .sorted(Comparator.comparingInt(Difference::row))
        .limit(MOST_DIFFERENCES)
        .map(
            each ->
                new Difference(
                    source.shownRow(each.row()),
                    each.artNo(),
                    each.field(),
                    each.old(),
                    each.next()))
        .toList();
  }

  private List<Difference> fieldDifferences() throws SQLException {
    return sql.list(
        Findings::difference,
        """
        select i.row, i.art_no, f.field, left(f.old, 200) as old, left(f.next, 200) as next
        from (
          select * from import_item where changed and not bad order by row limit ?
        ) i
        left join import_product p on p.run = i.item
        left join import_image m on m.item = i.item
        join product_detail d on d.merchant_id = ? and d.product_id = i.product_id
        cross join lateral (values %s) as f (place, field, old, next)
        where f.next is not null and f.next <> f.old
        order by i.row, f.place limit ?
        """
            .formatted(fields.differences()),
        MOST_DIFFERENCES * 10,
        merchantId,
        MOST_DIFFERENCES);
  }

  private List<Difference> stockDifferences() throws SQLException {
    List<Difference> differences =
        new ArrayList<>(
            sql.list(
                Findings::difference,
                """
                select s.row, i.art_no,
                  f.name || n.color || ' ' || s.size as field, f.old, f.next
                from (select * from import_stock order by row, size limit ?) s
                join import_item i using (item)
                join import_color_no n on n.key = s.key
                cross join lateral (values
                  (1, 'stock ', s.old_quantity::text, s.quantity::text),
                  (2, 'barCode ', s.old_barcode, s.barcode)) as f (place, name, old, next)
                where f.next is distinct from f.old
                order by s.row, s.size, f.place limit ?
                """,
                MOST_DIFFERENCES,
                MOST_DIFFERENCES));
    differences.addAll(
        sql.list(
            Findings::difference,
            """
            select e.row, i.art_no, 'stock ' || n.color || ' ' || e.size as field,
              null as old, e.quantity::text as next
            from (
              select * from import_item where changed and not bad and not has_stock
              order by row limit ?
            ) i
            join import_color_no n using (item) join import_entry e using (key)
            order by e.row, e.size limit ?
            """,
            MOST_DIFFERENCES,
            MOST_DIFFERENCES));
    return differences;
  }

  private static Difference difference(ResultSet row) throws SQLException {
    return new Difference(
        row.getInt("row"),
        row.getString("art_no"),
        row.getString("field"),
        row.getString("old"),
        row.getString("next"));
  }

  List<Fault> warnings(long sharedBarcodes, @Nullable Fault mixedScripts) throws SQLException {
    List<Fault> warnings = new ArrayList<>();
    stockToZero(warnings);
    priceFactor(warnings);
    if (sharedBarcodes > 0) {
      sharedBarcodes(warnings, sharedBarcodes);
    }
    if (mixedScripts != null) {
      warnings.add(mixedScripts);
    }
    return warnings;
  }

  private void stockToZero(List<Fault> warnings) throws SQLException {
    long zeroed =
        sql.number("select count(*) from import_stock where quantity = 0 and old_quantity > 0");
    if (zeroed == 0) {
      return;
    }
    long filled =
        sql.number(
            """
            select count(*) filter (where s.quantity > 0)
            from import_item i
            join import_color_no n using (item)
            join import_entry e using (key)
            join stock_entry s on s.merchant_id = ? and s.product_id = i.product_id
              and s.color_no = n.color_no and s.size = e.size
            where i.has_stock and not i.bad
            """,
            merchantId);
    if (zeroed * 2 > filled) {
      warnings.add(Fault.of(0, "", "", ErrorCode.STOCK_TO_ZERO, zeroed, filled));
    }
  }

  private void priceFactor(List<Fault> warnings) throws SQLException {
    if (!fields.has(Field.PRICE)) {
      return;
    }
    warnings.addAll(
        sql.list(
            row ->
                Fault.of(
                    source.shownRow(row.getInt("row")),
                    fields.name(Field.PRICE),
                    "",
                    ErrorCode.PRICE_FACTOR,
                    row.getLong("total"),
                    row.getString("art_no"),
                    row.getBigDecimal("price"),
                    BigDecimal.valueOf(row.getLong("cents"), 2)),
            """
            select i.row, i.art_no, d.price, p.cents, count(*) over () as total
            from import_item i
            join import_product p on p.run = i.item
            join product_detail d on d.merchant_id = ? and d.product_id = i.product_id
            where i.changed and not i.bad and p.cents <> d.price * 100
              and (p.cents >= d.price * 500 or p.cents * 5 <= d.price * 100)
            order by i.row limit 1
            """,
            merchantId));
  }

  private void sharedBarcodes(List<Fault> warnings, long total) throws SQLException {
    List<Fault> first =
        sql.list(
            row ->
                Fault.of(
                    source.shownRow(row.getInt(1)),
                    fields.name(Field.BAR_CODE),
                    row.getString(2),
                    ErrorCode.BARCODE_SHARED,
                    total,
                    row.getString(2),
                    source.shownRow(row.getInt(1))),
            """
            select row, barcode from import_entry e
            where barcode in (select barcode from import_barcode)
              or exists (select 1 from stock_entry s
                where s.merchant_id = ? and s.barcode = e.barcode)
            order by row limit 1
            """,
            merchantId);
    warnings.addAll(first);
  }

  List<Fault> faults() throws SQLException {
    return sql.list(
        row -> fault(row, source),
        """
        select row, column_name, value, code, arguments from import_fault
        order by row, column_name limit ?
        """,
        MOST_FAULTS);
  }

  static Fault fault(ResultSet row, RowSource source) throws SQLException {
    Array arguments = row.getArray("arguments");
    return new Fault(
        source.shownRow(row.getInt("row")),
        row.getString("column_name"),
        row.getString("value"),
        ErrorCode.valueOf(row.getString("code")),
        Arrays.asList((String[]) arguments.getArray()));
  }
}
