package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Spelling;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Warns of changes that are allowed, but look like mistakes. */
final class StockWarnings {
  private static final int EXAMPLES = 5;
  private static final int MAX_COMPARED = 200;

  private final ImportTransaction transaction;
  private final int merchantId;
  private final StockChanges changes;
  private final boolean textSizes;

  StockWarnings(
      ImportTransaction transaction, int merchantId, StockChanges changes, boolean textSizes) {
    this.transaction = transaction;
    this.merchantId = merchantId;
    this.changes = changes;
    this.textSizes = textSizes;
  }

  void addTo(List<FileProblem> warnings) throws SQLException {
    newColors(warnings);
    if (changes.fresh() > 0) {
      unusualSizes(warnings);
    }
    if (textSizes) {
      alikeSizes(warnings);
    }
    if (changes.jumps() > 0) {
      jumps(warnings);
    }
    if (changes.zeroed() > 0) {
      soldOut(warnings);
    }
  }

  /** A new color and the colors that its product has. */
  private record NewColor(String artNo, String color, List<String> known, long total) {
    String nearest() {
      return known.stream().min(Comparator.comparingInt(this::distance)).orElse("");
    }

    int distance() {
      return distance(nearest());
    }

    private int distance(String name) {
      return Spelling.distance(color.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
    }

    String shown() {
      return "%s “%s” ≈ “%s”".formatted(artNo, color, nearest());
    }
  }

  /** The colors that resemble an existing one come first. */
  private void newColors(List<FileProblem> warnings) throws SQLException {
    List<NewColor> colors =
        transaction
            .call(
                """
                select i.art_no, n.color, array(
                    select s.color from stock_color s
                    where s.merchant_id = :merchantId and s.product_id = i.product_id
                    order by s.color_no) as known, count(*) over () as total
                from (
                  select item, color, min(key) as key from import_color_no
                  where fresh group by item, color
                ) n join import_item i using (item)
                where i.has_stock and not i.bad
                order by n.key limit :max
                """)
            .set("merchantId", merchantId)
            .set("max", MAX_COMPARED)
            .list(
                row ->
                    new NewColor(
                        row.getString("art_no"),
                        row.getString("color"),
                        Arrays.asList((String[]) row.getArray("known").getArray()),
                        row.getLong("total")));
    if (!colors.isEmpty()) {
      String shown =
          colors.stream()
              .sorted(Comparator.comparingInt(NewColor::distance))
              .limit(EXAMPLES)
              .map(NewColor::shown)
              .collect(Collectors.joining(", "));
      warnings.add(warning(ErrorCode.COLOR_NEW, colors.getFirst().total, shown));
    }
  }

  private void unusualSizes(List<FileProblem> warnings) throws SQLException {
    examples(
        warnings,
        ErrorCode.SIZE_UNUSUAL,
        """
        select format('%s %s %s (%s–%s)', u.art_no, n.color, s.size_text, u.first, u.last),
          count(*) over () as total
        from (
          select j.item, j.art_no, e.smallest, e.largest, e.first, e.last
          from import_touched t join import_item j using (item)
          cross join lateral (
            select min(size) as smallest, max(size) as largest,
              (array_agg(size_text order by size))[1] as first,
              (array_agg(size_text order by size desc))[1] as last
            from stock_entry
            where merchant_id = :merchantId and product_id = j.product_id
          ) e
          where t.fresh > 0
        ) u
        join import_stock s using (item) join import_color_no n using (key)
        where s.place is null and (s.size < u.smallest or s.size > u.largest)
        order by s.row, s.size limit :max
        """);
  }

  /**
   * Sizes that are probably meant to be one: the same number, the same letter size, or equal but
   * for blanks and punctuation.
   */
  private void alikeSizes(List<FileProblem> warnings) throws SQLException {
    examples(
        warnings,
        ErrorCode.SIZE_ALIKE,
        """
        select format('%s %s', art_no, string_agg(size_text, ' ≈ ' order by size)),
          count(*) over () as total
        from (
          select item, art_no, size, min(size_text) as size_text,
            case when size < 'v' then split_part(size, ' ', 1)
              else regexp_replace(size, '[[:space:][:punct:]]', '', 'g') end as look
          from (
            select i.item, i.art_no, e.size, e.size_text
            from import_item i join import_color_no n using (item)
            join import_entry e using (key)
            where not i.bad
            union
            select i.item, i.art_no, s.size, s.size_text
            from import_item i cross join lateral (
              select size, size_text from stock_entry
              where merchant_id = :merchantId and product_id = i.product_id offset 0
            ) s
            where i.has_stock and not i.bad
          ) e
          group by item, art_no, size
        ) s
        group by item, art_no, look having count(*) > 1
        order by item limit :max
        """);
  }

  private void jumps(List<FileProblem> warnings) throws SQLException {
    examples(
        warnings,
        ErrorCode.QUANTITY_JUMP,
        """
        select format('%s %s %s: %s → %s', i.art_no, c.color, s.size_text, s.old_quantity, s.quantity),
          (select sum(jumps) from import_touched) as total
        from (
          select * from import_stock
          where
        """
            + StockChanges.JUMPS
            + """
          order by row, size limit :max
        ) s
        join import_item i using (item)
        cross join lateral (
          select color from stock_color
          where merchant_id = :merchantId and product_id = s.product_id
            and color_no = s.color_no limit 1
        ) c
        order by s.row, s.size
        """);
  }

  private void soldOut(List<FileProblem> warnings) throws SQLException {
    examples(
        warnings,
        ErrorCode.PRODUCT_SOLD_OUT,
        """
        select i.art_no, count(*) over () as total
        from import_touched s join import_item i using (item)
        where s.zeroed > 0 and s.top = 0 and s.gone = (
          select sum(e.quantity) from stock_entry e
          where e.merchant_id = :merchantId and e.product_id = i.product_id)
        order by i.row limit :max
        """);
  }

  private void examples(List<FileProblem> warnings, ErrorCode code, String query)
      throws SQLException {
    long[] total = new long[1];
    List<String> shown = new ArrayList<>();
    transaction
        .call(query)
        .set("merchantId", merchantId)
        .set("max", EXAMPLES)
        .forEach(row -> shown.add(example(row, total)));
    if (!shown.isEmpty()) {
      warnings.add(warning(code, total[0], String.join(", ", shown)));
    }
  }

  private static String example(ResultSet row, long[] total) throws SQLException {
    total[0] = row.getLong("total");
    return row.getString(1);
  }

  private static FileProblem warning(ErrorCode code, long total, String examples) {
    return FileProblem.of(0, "", "", code, total, examples);
  }
}
