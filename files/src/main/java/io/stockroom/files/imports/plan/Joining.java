package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.Choices.Differing;
import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.FieldTexts;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Joins rows of one product that are not consecutive, and decides between their values. */
final class Joining {
  private static final String PRICE = "(p.cents / 100.0)::numeric(12, 2)";

  private final ImportTransaction transaction;
  private final RowSource source;
  private final ProductFields fields;
  private final Differing differing;

  Joining(ImportTransaction transaction, RowSource source, Differing differing) {
    this.transaction = transaction;
    this.differing = differing;
    this.source = source;
    this.fields = new ProductFields(source.columns());
  }

  void run() throws SQLException {
    transaction
        .call(
            """
        update import_run r set item = i.item from import_item i
        where i.runs > 1 and i.art_no = r.art_no and i.item <> r.run
        """)
        .update();
    if (source.rowsAreProducts()) {
      rejectTwice();
      return;
    }
    transaction
        .call(
            """
        update import_color c set item = r.item from import_run r
        where r.run = c.run and r.item <> r.run
        """)
        .update();
    compareValues();
    rejectRepeatedEntries();
    join();
  }

  private void rejectTwice() throws SQLException {
    transaction
        .call(
            """
        insert into import_problem (run, row, column_name, value, code, arguments)
        select r.run, r.row, 'artNo', r.art_no, 'PRODUCT_IN_FILE_TWICE',
          array[r.art_no, i.row::text]
        from import_run r join import_item i using (item) where r.run <> r.item
        """)
        .update();
  }

  private void compareValues() throws SQLException {
    Map<Field, String> said = new LinkedHashMap<>();
    said.put(Field.TITLE, "p.title");
    said.put(Field.DESCRIPTION, "p.description");
    said.put(Field.PRICE, PRICE);
    said.put(Field.CATEGORY_ID_TREE, "p.category_id_tree");
    said.put(Field.CATEGORY_NAME_TREE, "p.category_name_tree");
    said.put(Field.VIDEO, "p.video");
    said.put(Field.ATTRIBUTES, "p.attribute_names::text || p.attribute_values::text");
    for (Map.Entry<Field, String> field : said.entrySet()) {
      if (fields.has(field.getKey())) {
        compare(field.getValue(), "r.item", "import_product p using (run)", field.getKey());
      }
    }
    if (fields.has(Field.COLOR_IMAGE)) {
      compare("p.image", "r.item, p.color", "import_color p using (run)", Field.COLOR_IMAGE);
    }
  }

  private void compare(String said, String of, String from, Field field) throws SQLException {
    if (differing == Differing.REJECT) {
      reject(said, of, from, field);
    } else {
      note(said, of, from, field);
    }
  }

  /** Notes which products have several values of a field. */
  private void note(String said, String of, String from, Field field) throws SQLException {
    boolean price = field == Field.PRICE;
    long[] total = new long[1];
    List<String> examples = new ArrayList<>();
    transaction
        .call(
            """
            select i.art_no, min(%1$s) as lowest, max(%1$s) as highest,
              (array_agg(%1$s order by r.row))[1] as first, count(*) over () as total
            from import_item i join import_run r using (item) join %3$s
            where i.runs > 1 and %1$s is not null
            group by i.art_no, %2$s having min(%1$s) <> max(%1$s)
            order by min(r.row) limit 5
            """
                .formatted(said, of, from))
        .forEach(
            row -> {
              total[0] = row.getLong("total");
              String chosen =
                  row.getString(differing == Differing.FIRST ? "first" : differing.word());
              String prices =
                  " %s–%s → %s"
                      .formatted(row.getString("lowest"), row.getString("highest"), chosen);
              examples.add(row.getString("art_no") + (price ? prices : ""));
            });
    ErrorCode code = price ? ErrorCode.PRICES_DIFFER : ErrorCode.VALUES_DIFFER;
    source.notes().add(code, price ? "" : fields.name(field), total[0], examples);
  }

  /** Compares each value with the first one of the same product or color. */
  private void reject(String said, String of, String from, Field field) throws SQLException {
    transaction
        .call(
            """
        with said as (
          select r.run, r.row, %1$s as said, first_value(%1$s) over first as first,
            first_value(r.row) over first as first_row
          from import_item i join import_run r using (item) join %3$s
          where i.runs > 1 and %1$s is not null
          window first as (partition by %2$s order by r.row)
        )
        insert into import_problem (run, row, column_name, value, code, arguments)
        select run, row, :column, left(said::text, 200), 'ROW_CONFLICT',
          array[left(said::text, 200), left(first::text, 200), (first_row %% :rowsPerSheet)::text]
        from said where said <> first
        """
                .formatted(said, of, from))
        .set("column", fields.name(field))
        .set("rowsPerSheet", source.rowsOfASheet())
        .update();
  }

  private void rejectRepeatedEntries() throws SQLException {
    transaction
        .call(
            """
        with entry as (
          select c.run, e.row, i.art_no, c.color, e.size_text, first_value(e.row) over same as first_row,
            row_number() over same as place
          from import_item i join import_color c using (item) join import_entry e using (key)
          where i.runs > 1
          window same as (partition by c.item, c.color, e.size order by e.row)
        )
        insert into import_problem (run, row, column_name, value, code, arguments)
        select run, row, :column, size_text, 'ENTRY_REPEATED',
          array[art_no, color, size_text, 'row ' || first_row % :rowsPerSheet]
        from entry where place > 1
        """)
        .set("column", fields.name(Field.SIZE))
        .set("rowsPerSheet", source.rowsOfASheet())
        .update();
  }

  /** The first value of each field, the chosen price, and all pictures. */
  private void join() throws SQLException {
    transaction
        .call(
            """
        with part as (
          select r.item, r.row, p.* from import_item i
          join import_run r using (item) join import_product p using (run) where i.runs > 1
        ), picture as (
          select item, (array_agg(img order by place))[1:%2$d] as imgs from (
            select item, img, min(row * 1000::bigint + n) as place
            from part cross join unnest(imgs) with ordinality u (img, n) group by item, img
          ) each group by item
        ), joined as (
          select item, %1$s
          from part left join picture using (item) group by item
        ), gone as (
          delete from import_product p using import_run r, import_item i
          where p.run = r.run and r.item = i.item and i.runs > 1
        )
        insert into import_product (run, title, description, cents, category_id_tree,
          category_name_tree, imgs, video, attribute_names, attribute_values)
        select * from joined
        """
                .formatted(
                    String.join(
                        ", ",
                        first("title", "text"),
                        first("description", "text"),
                        cents(),
                        first("category_id_tree", "text"),
                        first("category_name_tree", "text"),
                        "max(picture.imgs)",
                        first("video", "text"),
                        first("attribute_names", "text[]"),
                        first("attribute_values", "text[]")),
                    FieldTexts.MAX_IMAGES))
        .update();
  }

  private String cents() {
    return switch (differing) {
      case LOWEST -> "min(cents)";
      case HIGHEST -> "max(cents)";
      case FIRST, REJECT -> first("cents", "bigint");
    };
  }

  /** Arrays of different lengths can only be gathered as texts. */
  private static String first(String column, String type) {
    return "(array_agg(%1$s::text order by row) filter (where %1$s is not null))[1]::%2$s"
        .formatted(column, type);
  }
}
