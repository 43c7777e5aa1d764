package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.RowSource;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Joins rows of one product that are not consecutive, and rejects contradictions between them. */
final class Joining {
  private final ImportTransaction transaction;
  private final RowSource source;
  private final ProductFields fields;

  Joining(ImportTransaction transaction, RowSource source) {
    this.transaction = transaction;
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
    rejectContradictions();
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

  private void rejectContradictions() throws SQLException {
    Map<Field, String> said = new LinkedHashMap<>();
    said.put(Field.TITLE, "p.title");
    said.put(Field.DESCRIPTION, "p.description");
    said.put(Field.PRICE, "(p.cents / 100.0)::numeric(12, 2)::text");
    said.put(Field.CATEGORY_ID_TREE, "p.category_id_tree");
    said.put(Field.CATEGORY_NAME_TREE, "p.category_name_tree");
    said.put(Field.IMGS, "array_to_string(p.imgs, ' ')");
    said.put(Field.VIDEO, "p.video");
    said.put(Field.ATTRIBUTES, "p.attribute_names::text || p.attribute_values::text");
    for (Map.Entry<Field, String> field : said.entrySet()) {
      if (fields.has(field.getKey())) {
        reject(field.getValue(), "r.item", "import_product p using (run)", field.getKey());
      }
    }
    if (fields.has(Field.COLOR_IMAGE)) {
      reject("p.image", "r.item, p.color", "import_color p using (run)", Field.COLOR_IMAGE);
    }
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
        select run, row, :column, left(said, 200), 'ROW_CONFLICT',
          array[left(said, 200), left(first, 200), (first_row %% :rowsPerSheet)::text]
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

  /** Without contradictions, the maximum of a field is its only value. */
  private void join() throws SQLException {
    transaction
        .call(
            """
        with joined as (
          select r.item, max(p.title) as title, max(p.description) as description,
            max(p.cents) as cents, max(p.category_id_tree) as category_id_tree,
            max(p.category_name_tree) as category_name_tree, max(p.imgs) as imgs,
            max(p.video) as video, max(p.attribute_names) as attribute_names,
            max(p.attribute_values) as attribute_values
          from import_item i join import_run r using (item) join import_product p using (run)
          where i.runs > 1
          group by r.item
        ), gone as (
          delete from import_product p using import_run r, import_item i
          where p.run = r.run and r.item = i.item and i.runs > 1
        )
        insert into import_product (run, title, description, cents, category_id_tree,
          category_name_tree, imgs, video, attribute_names, attribute_values)
        select * from joined
        """)
        .update();
  }
}
