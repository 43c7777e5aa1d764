package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.Columns;
import io.stockroom.files.imports.read.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a file on each field of a product, as SQL. A field without a value stays unchanged:
 * an empty cell, no column, absent from a JSON object.
 *
 * <p>In the expressions {@code p} is what the file says, {@code d} the product's detail and {@code
 * m} the pictures of its colors.
 */
public final class ProductFields {
  private record Part(Field field, String column, String empty) {}

  private static final List<Part> PARTS =
      List.of(
          new Part(Field.DESCRIPTION, "description", "''"),
          new Part(Field.CATEGORY_ID_TREE, "category_id_tree", "''"),
          new Part(Field.CATEGORY_NAME_TREE, "category_name_tree", "''"),
          new Part(Field.IMGS, "imgs", "'{}'::text[]"),
          new Part(Field.VIDEO, "video", "''"),
          new Part(Field.ATTRIBUTES, "attribute_names", "'{}'::text[]"),
          new Part(Field.ATTRIBUTES, "attribute_values", "'{}'::text[]"));
  private static final String PRICE = "(p.cents / 100.0)::numeric(12, 2)";

  private final @Nullable Columns columns;

  ProductFields(@Nullable Columns columns) {
    this.columns = columns;
  }

  /** Whether the file has this field. */
  public boolean has(Field field) {
    return columns == null || columns.has(field);
  }

  public String name(Field field) {
    return columns == null ? field.word() : columns.name(field);
  }

  /** The column's new value; null if the file does not change it. */
  private static String said(Part part) {
    return "p." + part.column;
  }

  /** True if the file differs from the product. */
  public String differing() {
    List<String> tests = new ArrayList<>();
    tests.add("p.title <> d.title");
    tests.add(PRICE + " <> d.price");
    PARTS.forEach(part -> tests.add(said(part) + " <> d." + part.column));
    tests.add("m.colors <> d.image_colors or m.urls <> d.image_urls");
    return String.join(" or ", tests);
  }

  /** The old values of the fields in which the file differs from the product; null elsewhere. */
  public String before() {
    List<String> values = new ArrayList<>();
    values.add("case when p.title <> d.title then d.title end");
    values.add("case when %s <> d.price then d.price end".formatted(PRICE));
    for (Part part : PARTS) {
      values.add("case when %1$s <> d.%2$s then d.%2$s end".formatted(said(part), part.column));
    }
    String images = "m.colors <> d.image_colors or m.urls <> d.image_urls";
    values.add("case when %s then d.image_colors end".formatted(images));
    values.add("case when %s then d.image_urls end".formatted(images));
    return String.join(", ", values);
  }

  /** The present values of the fields that {@code b}, a row of {@code import_before}, has. */
  public static String present() {
    return each("case when b.%1$s is not null then d.%1$s end");
  }

  /** The values after a restore of {@code b}, a row of {@code import_before}. */
  public static String restored() {
    return each("coalesce(b.%1$s, d.%1$s)");
  }

  private static String each(String expression) {
    return columnList().stream().map(expression::formatted).collect(Collectors.joining(", "));
  }

  /** The names of the fields that {@code b}, a row of {@code import_before}, has, as an array. */
  public static String restoredNames() {
    List<String> names = new ArrayList<>();
    names.add(name("b.title is not null", Field.TITLE));
    names.add(name("b.price is not null", Field.PRICE));
    PARTS.forEach(part -> names.add(name("b.%s is not null".formatted(part.column), part.field)));
    names.add(name("b.image_colors is not null", Field.COLOR_IMAGE));
    return named(names);
  }

  /** The names of the fields in which the file differs from the product, as an array. */
  public String differingNames() {
    List<String> names = new ArrayList<>();
    names.add(name("p.title <> d.title", Field.TITLE));
    names.add(name(PRICE + " <> d.price", Field.PRICE));
    for (Part part : PARTS) {
      names.add(name(said(part) + " <> d." + part.column, part.field));
    }
    names.add(name("m.colors <> d.image_colors or m.urls <> d.image_urls", Field.COLOR_IMAGE));
    return named(names);
  }

  private static String named(List<String> names) {
    return "(select array_agg(distinct n) from unnest(array[%s]) n where n is not null)"
        .formatted(String.join(", ", names));
  }

  private static String name(String differs, Field field) {
    return "case when %s then '%s' end".formatted(differs, field.word());
  }

  /** The columns of {@code product_detail} that an import writes, in this order. */
  public static String columns() {
    return String.join(", ", columnList());
  }

  private static List<String> columnList() {
    List<String> names = new ArrayList<>(List.of("title", "price"));
    PARTS.forEach(part -> names.add(part.column));
    names.add("image_colors");
    names.add("image_urls");
    return names;
  }

  /** Their values for a new product. */
  public String created() {
    List<String> values = new ArrayList<>(List.of("p.title", PRICE));
    PARTS.forEach(part -> values.add("coalesce(p.%s, %s)".formatted(part.column, part.empty)));
    values.add("coalesce(m.colors, '{}')");
    values.add("coalesce(m.urls, '{}')");
    return String.join(", ", values);
  }

  /** Their values for an existing product. */
  public String changed() {
    List<String> values = new ArrayList<>();
    values.add("coalesce(p.title, d.title)");
    values.add("coalesce(" + PRICE + ", d.price)");
    PARTS.forEach(part -> values.add("coalesce(%s, d.%s)".formatted(said(part), part.column)));
    values.add("coalesce(m.colors, d.image_colors)");
    values.add("coalesce(m.urls, d.image_urls)");
    return String.join(", ", values);
  }

  /** The pictures after the import; null if the file does not change them. */
  public String images() {
    return said(PARTS.get(3));
  }

  /** Rows of field, old and new value as text; an unchanged field has no new value or the same. */
  public String differences() {
    List<String> rows = new ArrayList<>();
    rows.add(row(1, Field.TITLE, "d.title", "p.title"));
    rows.add(row(2, Field.PRICE, "d.price::text", PRICE + "::text"));
    int place = 3;
    for (Part part : PARTS) {
      if (part.column.startsWith("attribute_")) {
        continue;
      }
      boolean list = part.field == Field.IMGS;
      String old = list ? "array_to_string(d.imgs, ' ')" : "d." + part.column;
      String next = list ? "array_to_string(" + said(part) + ", ' ')" : said(part);
      rows.add(row(place++, part.field, old, next));
    }
    rows.add(
        row(
            place++,
            Field.ATTRIBUTES,
            pairs("d.attribute_names", "d.attribute_values"),
            pairs(said(PARTS.get(5)), said(PARTS.get(6)))));
    rows.add(
        row(
            place,
            Field.COLOR_IMAGE,
            pairs("d.image_colors", "d.image_urls"),
            pairs("m.colors", "m.urls")));
    return String.join(", ", rows);
  }

  private static String pairs(String names, String values) {
    return """
        case when %1$s is not null then coalesce((select string_agg(n || ': ' || v, ' | ')
          from unnest(%1$s, %2$s) as pair (n, v)), '') end"""
        .formatted(names, values);
  }

  private static String row(int place, Field field, String old, String next) {
    return "(%d, '%s', %s, %s)".formatted(place, field.word(), old, next);
  }
}
