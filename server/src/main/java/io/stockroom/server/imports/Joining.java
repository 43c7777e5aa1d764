package io.stockroom.server.imports;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Joins rows of one product that stand apart in the file, and refuses where they contradict. */
final class Joining {
  private final Sql sql;
  private final RowSource source;
  private final ProductFields fields;

  Joining(Sql sql, RowSource source) {
    this.sql = sql;
    this.source = source;
    this.fields = new ProductFields(source.columns());
  }

  void run() throws SQLException {
    sql.run(
        """
        update import_run r set item = i.item from import_item i
        where i.runs > 1 and i.art_no = r.art_no and i.item <> r.run
        """);
    if (source.rowsAreProducts()) {
      refuseTwice();
      return;
    }
    sql.run(
        """
        update import_color c set item = r.item from import_run r
        where r.run = c.run and r.item <> r.run
        """);
    refuseContradictions();
    refuseRepeatedEntries();
    join();
  }

  private void refuseTwice() throws SQLException {
    sql.run(
        """
        insert into import_fault (run, row, column_name, value, code, arguments)
        select r.run, r.row, 'artNo', r.art_no, 'PRODUCT_IN_FILE_TWICE',
          array[r.art_no, i.row::text]
        from import_run r join import_item i using (item) where r.run <> r.item
        """);
  }

  private void refuseContradictions() throws SQLException {
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
        refuse(field.getValue(), "r.item", "import_product p using (run)", field.getKey());
      }
    }
    if (fields.has(Field.COLOUR_IMAGE)) {
      refuse("p.image", "r.item, p.color", "import_color p using (run)", Field.COLOUR_IMAGE);
    }
  }

  /** Each value is compared with the first one that is said of the same thing. */
  private void refuse(String said, String of, String from, Field field) throws SQLException {
    sql.run(
        """
        with said as (
          select r.run, r.row, %1$s as said, first_value(%1$s) over first as first,
            first_value(r.row) over first as first_row
          from import_item i join import_run r using (item) join %3$s
          where i.runs > 1 and %1$s is not null
          window first as (partition by %2$s order by r.row)
        )
        insert into import_fault (run, row, column_name, value, code, arguments)
        select run, row, ?, left(said, 200), 'ROW_CONFLICT',
          array[left(said, 200), left(first, 200), (first_row %% ?)::text]
        from said where said <> first
        """
            .formatted(said, of, from),
        fields.name(field),
        source.rowsOfASheet());
  }

  private void refuseRepeatedEntries() throws SQLException {
    sql.run(
        """
        with entry as (
          select c.run, e.row, i.art_no, c.color, e.size, first_value(e.row) over same as first_row,
            row_number() over same as place
          from import_item i join import_color c using (item) join import_entry e using (key)
          where i.runs > 1
          window same as (partition by c.item, c.color, e.size order by e.row)
        )
        insert into import_fault (run, row, column_name, value, code, arguments)
        select run, row, ?, size::text, 'ENTRY_REPEATED',
          array[art_no, color, size::text, 'row ' || first_row % ?]
        from entry where place > 1
        """,
        fields.name(Field.SIZE), source.rowsOfASheet());
  }

  /** Where nothing contradicts, the largest value of a field is its only one. */
  private void join() throws SQLException {
    sql.run(
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
        """);
  }
}
