package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.JsonStock;
import java.sql.SQLException;

/** The number of each color within its product: its own, or the next one for a new color. */
final class ColorNumbers {
  private final ImportTransaction transaction;
  private final int merchantId;

  ColorNumbers(ImportTransaction transaction, int merchantId) {
    this.transaction = transaction;
    this.merchantId = merchantId;
  }

  /**
   * Numbers the colors of the file.
   *
   * @return how many products would have too many
   */
  int number(String column) throws SQLException {
    transaction
        .call(
            """
        insert into import_color_no (key, item, color, color_no, fresh)
        select c.key, c.item, c.color, c.ordinal, true
        from import_color c join import_item i using (item)
        where c.entries > 0 and not i.bad and not i.has_stock and i.runs = 1
        """)
        .update();
    transaction
        .call(
            """
        insert into import_color_no (key, item, color, color_no, fresh)
        select c.key, c.item, c.color, s.color_no, false
        from import_color c
        join (
          select j.item, k.color, k.color_no from import_item j
          cross join lateral (
            select color, color_no from stock_color
            where merchant_id = :merchantId and product_id = j.product_id offset 0
          ) k
          where j.has_stock and not j.bad
        ) s on s.item = c.item and s.color = c.color
        where c.entries > 0
        """)
        .set("merchantId", merchantId)
        .update();
    numberNewColors();
    transaction.execute("analyze import_color_no (key, item)");
    return transaction
        .call(
            """
            insert into import_problem (run, row, column_name, value, code, arguments)
            select i.item, i.row, :column, i.art_no, 'COLORS_TOO_MANY',
              array[i.art_no, (max(n.color_no) + 1)::text, :maxColors::text]
            from import_color_no n join import_item i using (item)
            where n.color_no >= :maxColors
            group by i.item, i.row, i.art_no
            """)
        .set("column", column)
        .set("maxColors", JsonStock.MAX_COLORS)
        .update();
  }

  /** The new colors of products that have others, or whose rows are not consecutive. */
  private void numberNewColors() throws SQLException {
    transaction
        .call(
            """
        with named as (
          select c.item, c.color, min(c.key) as first
          from import_color c join import_item i using (item)
          where c.entries > 0 and not i.bad and (i.has_stock or i.runs > 1)
            and c.key not in (select key from import_color_no)
          group by c.item, c.color
        ), top as (
          select i.item, (
            select max(color_no) + 1 from stock_color
            where merchant_id = :merchantId and product_id = i.product_id) as next
          from import_item i where i.item in (select item from named)
        ), numbered as (
          select item, n.color, coalesce(t.next, 0) - 1 + row_number() over (
            partition by item order by n.first) as color_no
          from named n join top t using (item)
        )
        insert into import_color_no (key, item, color, color_no, fresh)
        select c.key, c.item, c.color, n.color_no, true
        from numbered n join import_color c using (item, color)
        where c.entries > 0
        """)
        .set("merchantId", merchantId)
        .update();
  }

  /** Forgets the colors of products that are rejected. */
  void dropBad() throws SQLException {
    transaction
        .call("delete from import_color_no where item in (select item from import_item where bad)")
        .update();
  }
}
