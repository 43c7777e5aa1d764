package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.plan.ImportReport.Difference;
import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.protocol.ErrorCode;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queries the differences, warnings and problems of a compared import. */
public final class ReportQueries {
  private static final int MAX_DIFFERENCES = 20;

  private final ImportTransaction transaction;
  private final int merchantId;
  private final RowSource source;
  private final ProductFields fields;

  public ReportQueries(
      ImportTransaction transaction, int merchantId, RowSource source, ProductFields fields) {
    this.transaction = transaction;
    this.merchantId = merchantId;
    this.source = source;
    this.fields = fields;
  }

  /** The first differences of existing products, in the order of the file. */
  public List<Difference> differences() throws SQLException {
    List<Difference> all = new ArrayList<>(fieldDifferences());
    all.addAll(stockDifferences());
    return all.stream()
        .sorted(Comparator.comparingInt(Difference::row))
        .limit(MAX_DIFFERENCES)
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
    return transaction
        .call(
            """
        select i.row, i.art_no, f.field, left(f.old, 200) as old, left(f.next, 200) as next
        from (
          select * from import_item where edited order by row limit :maxItems
        ) i
        left join import_product p on p.run = i.item
        left join import_image m on m.item = i.item
        %s
        cross join lateral (values %s) as f (place, field, old, next)
        where f.next is not null and f.next <> f.old
        order by i.row, f.place limit :max
        """
                .formatted(Lookups.DETAIL, fields.differences()))
        .set("maxItems", MAX_DIFFERENCES * 10)
        .set("merchantId", merchantId)
        .set("max", MAX_DIFFERENCES)
        .list(ReportQueries::difference);
  }

  private List<Difference> stockDifferences() throws SQLException {
    List<Difference> differences =
        new ArrayList<>(
            transaction
                .call(
                    """
                select s.row, i.art_no,
                  f.name || coalesce(n.color, c.color) || ' ' || s.size_text as field, f.old, f.next
                from (
                  select * from import_stock where item = any (array(
                    select item from import_touched join import_item using (item)
                    order by import_item.row limit :max))
                  order by row, size limit :max
                ) s
                join import_item i using (item)
                left join import_color_no n on n.key = s.key
                left join stock_color c on n.key is null and c.merchant_id = :merchantId
                  and c.product_id = s.product_id and c.color_no = s.color_no
                cross join lateral (values
                  (1, 'stock ', s.old_quantity::text, s.quantity::text),
                  (2, 'barCode ', s.old_barcode, s.barcode)) as f (place, name, old, next)
                where f.next is distinct from f.old
                order by s.row, s.size, f.place limit :max
                """)
                .set("merchantId", merchantId)
                .set("max", MAX_DIFFERENCES)
                .list(ReportQueries::difference));
    differences.addAll(
        transaction
            .call(
                """
            select e.row, i.art_no, 'stock ' || n.color || ' ' || e.size_text as field,
              null as old, e.quantity::text as next
            from (
              select * from import_item where changed and not bad and not has_stock
              order by row limit :max
            ) i
            join import_color_no n using (item) join import_entry e using (key)
            order by e.row, e.size limit :max
            """)
            .set("max", MAX_DIFFERENCES)
            .list(ReportQueries::difference));
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

  public List<FileProblem> warnings(
      long sharedBarcodes, @Nullable FileProblem mixedScripts, boolean textSizes)
      throws SQLException {
    List<FileProblem> warnings = new ArrayList<>();
    StockChanges changes = StockChanges.of(transaction);
    if (changes.zeroed() > 0) {
      stockToZero(warnings, changes.zeroed());
    }
    new StockWarnings(transaction, merchantId, changes, textSizes).addTo(warnings);
    priceFactor(warnings);
    if (sharedBarcodes > 0) {
      sharedBarcodes(warnings, sharedBarcodes);
    }
    if (mixedScripts != null) {
      warnings.add(mixedScripts);
    }
    if (source.hiddenRows() > 0) {
      warnings.add(FileProblem.of(0, "", "", ErrorCode.ROWS_HIDDEN, source.hiddenRows()));
    }
    return warnings;
  }

  private void stockToZero(List<FileProblem> warnings, long zeroed) throws SQLException {
    long filled =
        transaction
            .call(
                """
            select count(*) filter (where s.quantity > 0)
            from import_item i
            join import_color_no n using (item)
            join import_entry e using (key)
            %s
            where i.has_stock and not i.bad
            """
                    .formatted(Lookups.ENTRY))
            .set("merchantId", merchantId)
            .one(row -> row.getLong(1));
    if (zeroed * 2 > filled) {
      warnings.add(FileProblem.of(0, "", "", ErrorCode.STOCK_TO_ZERO, zeroed, filled));
    }
  }

  private void priceFactor(List<FileProblem> warnings) throws SQLException {
    if (!fields.has(Field.PRICE)) {
      return;
    }
    warnings.addAll(
        transaction
            .call(
                """
            select i.row, i.art_no, d.price, p.cents, count(*) over () as total
            from import_item i
            join import_product p on p.run = i.item
            %s
            where i.changed and not i.bad and p.cents <> d.price * 100
              and (p.cents >= d.price * 500 or p.cents * 5 <= d.price * 100)
            order by i.row limit 1
            """
                    .formatted(Lookups.DETAIL))
            .set("merchantId", merchantId)
            .list(
                row ->
                    FileProblem.of(
                        source.shownRow(row.getInt("row")),
                        fields.name(Field.PRICE),
                        "",
                        ErrorCode.PRICE_FACTOR,
                        row.getLong("total"),
                        row.getString("art_no"),
                        row.getBigDecimal("price"),
                        BigDecimal.valueOf(row.getLong("cents"), 2))));
  }

  private void sharedBarcodes(List<FileProblem> warnings, long total) throws SQLException {
    List<FileProblem> first =
        transaction
            .call(
                """
            select row, barcode from import_entry e
            where barcode in (select barcode from import_barcode)
              or exists (select 1 from stock_entry s
                where s.merchant_id = :merchantId and s.barcode = e.barcode)
            order by row limit 1
            """)
            .set("merchantId", merchantId)
            .list(
                row ->
                    FileProblem.of(
                        source.shownRow(row.getInt(1)),
                        fields.name(Field.BAR_CODE),
                        row.getString(2),
                        ErrorCode.BARCODE_SHARED,
                        total,
                        row.getString(2),
                        source.shownRow(row.getInt(1))));
    warnings.addAll(first);
  }

  /** The first problems, in the order of the file. */
  public List<FileProblem> problems(int max) throws SQLException {
    return transaction
        .call(
            """
        select f.row, column_name, value, code, arguments, coalesce(r.art_no, '') as art_no
        from import_problem f left join import_run r using (run)
        order by f.row, column_name limit :max
        """)
        .set("max", max)
        .list(row -> problem(row, source));
  }

  public static FileProblem problem(ResultSet row, RowSource source) throws SQLException {
    Array arguments = row.getArray("arguments");
    return new FileProblem(
        source.shownRow(row.getInt("row")),
        row.getString("column_name"),
        row.getString("value"),
        ErrorCode.valueOf(row.getString("code")),
        Arrays.asList((String[]) arguments.getArray()),
        row.getString("art_no"));
  }
}
