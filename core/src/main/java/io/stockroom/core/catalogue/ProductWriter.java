package io.stockroom.core.catalogue;

import io.stockroom.core.call.Answer;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/**
 * Writes the fields of products, new and existing ones together. It runs in the transaction of its
 * caller, who has locked the merchant for new products, and the products that exist.
 */
final class ProductWriter {
  /** The columns of {@code product_detail} beside the key. */
  static final String COLUMNS =
      """
      title, description, imgs, price, category_id_tree, category_name_tree, attribute_names,
      attribute_values, video, image_colors, image_urls""";

  /**
   * The fields to write. In an existing product, a field that is null stays as it is; in a new one
   * it is empty.
   *
   * @param attributeValues side by side with the names
   * @param colorImages the address of a picture by its color
   */
  record Values(
      @Nullable String title,
      @Nullable String description,
      @Nullable BigDecimal price,
      @Nullable List<String> imgs,
      @Nullable String categoryIdTree,
      @Nullable String categoryNameTree,
      @Nullable List<String> attributeNames,
      @Nullable List<String> attributeValues,
      @Nullable String video,
      @Nullable Map<String, String> colorImages) {
    Values(
        @Nullable String title,
        @Nullable String description,
        @Nullable BigDecimal price,
        @Nullable List<String> imgs,
        @Nullable String categoryIdTree,
        @Nullable String categoryNameTree,
        @Nullable List<String> attributeNames,
        @Nullable List<String> attributeValues,
        @Nullable String video) {
      this(
          title,
          description,
          price,
          imgs,
          categoryIdTree,
          categoryNameTree,
          attributeNames,
          attributeValues,
          video,
          null);
    }

    static Values ofColorImages(Map<String, String> images) {
      return new Values(null, null, null, null, null, null, null, null, null, images);
    }
  }

  /** A product that does not exist yet. */
  record New(String artNo, Values values) {}

  /** A product as a statement takes it. */
  private record Row(
      int productId, @Nullable Integer number, String artNo, List<String> fields, Values values) {}

  private static final String GIVEN =
      """
      with given as (
        select * from jsonb_to_recordset(:products::jsonb) as g (
          product_id int, number int, art_no text, fields text[], title text, description text,
          price numeric, imgs text[], category_id_tree text, category_name_tree text,
          attribute_names text[], attribute_values text[], video text, image_colors text[],
          image_urls text[])
      )
      """;

  /** In the order and with the names of the change log. */
  private static final Sql DIFFERENCES =
      Sql.of(
          GIVEN
              + """
              select g.product_id, array_remove(array[
                case when g.title <> d.title then 'title' end,
                case when g.description <> d.description then 'description' end,
                case when g.price <> d.price then 'price' end,
                case when g.category_id_tree <> d.category_id_tree then 'categoryIdTree' end,
                case when g.category_name_tree <> d.category_name_tree then 'categoryNameTree' end,
                case when g.imgs <> d.imgs then 'imgs' end,
                case when g.video <> d.video then 'video' end,
                case when g.attribute_names <> d.attribute_names
                  or g.attribute_values <> d.attribute_values then 'attributes' end,
                case when g.image_colors <> d.image_colors or g.image_urls <> d.image_urls
                  then 'colorImage' end
              ], null) as fields
              from given g join product_detail d
                on d.merchant_id = :merchantId and d.product_id = g.product_id
              """);

  private static final Sql WRITE =
      ChangeLog.recording(
          GIVEN
              + """
              , put_product as (
                insert into product (merchant_id, product_id, number, art_no, pic)
                select :merchantId, product_id, number, art_no, coalesce(imgs[1], '')
                from given where number is not null
              ), put_detail as (
                insert into product_detail (merchant_id, product_id, %s)
                select :merchantId, product_id, title, coalesce(description, ''),
                  coalesce(imgs, '{}'), price, coalesce(category_id_tree, ''),
                  coalesce(category_name_tree, ''), coalesce(attribute_names, '{}'),
                  coalesce(attribute_values, '{}'), coalesce(video, ''),
                  coalesce(image_colors, '{}'), coalesce(image_urls, '{}')
                from given where number is not null
              ), set_product as (
                update product p set pic = coalesce(g.imgs[1], '')
                from given g
                where p.merchant_id = :merchantId and p.product_id = g.product_id
                  and g.number is null and g.imgs is not null and p.pic <> coalesce(g.imgs[1], '')
              ), set_detail as (
                update product_detail d
                set title = coalesce(g.title, d.title),
                  description = coalesce(g.description, d.description),
                  imgs = coalesce(g.imgs, d.imgs), price = coalesce(g.price, d.price),
                  category_id_tree = coalesce(g.category_id_tree, d.category_id_tree),
                  category_name_tree = coalesce(g.category_name_tree, d.category_name_tree),
                  attribute_names = coalesce(g.attribute_names, d.attribute_names),
                  attribute_values = coalesce(g.attribute_values, d.attribute_values),
                  video = coalesce(g.video, d.video),
                  image_colors = coalesce(g.image_colors, d.image_colors),
                  image_urls = coalesce(g.image_urls, d.image_urls)
                from given g
                where d.merchant_id = :merchantId and d.product_id = g.product_id
                  and g.number is null
              ), grouped as (
                select product_id, 'product' as kind, number is not null as created, fields, %s
                from given
              )
              """
                  .formatted(COLUMNS, ChangeLog.NO_STOCK));

  /** The lowest ids that the merchant was given and has not used. */
  private static final Sql TAKE_IDS =
      Sql.of(
          """
          with taken as (
            select id from product_id_range r
            cross join generate_series(r.first_id, least(r.last_id, r.first_id + :count - 1)) id
            where r.merchant_id = :merchantId
            order by id limit :count
          ), used as (
            delete from product_id_range r
            where r.merchant_id = :merchantId and r.first_id <= (select max(id) from taken)
            returning last_id
          ), rest as (
            insert into product_id_range (merchant_id, first_id, last_id)
            select :merchantId, t.last_taken + 1, u.last_id
            from used u, (select max(id) as last_taken from taken) t
            where u.last_id > t.last_taken
          )
          select id from taken order by id
          """);

  private static final Sql NEXT_IDS =
      Sql.of("select nextval('product_id')::int from generate_series(1, :count)");

  private static final Sql COUNT =
      Sql.of(
          """
          update merchant_data set products = products + :count where merchant_id = :merchantId
          returning products + archived - :count as number
          """);

  private final Cells cells;

  ProductWriter(Cells cells) {
    this.cells = cells;
  }

  /**
   * The names of the fields that would change, for each product that exists.
   *
   * @param values by product id
   */
  static Map<Integer, List<String>> differences(
      Connection connection, int merchantId, Map<Integer, Values> values) throws SQLException {
    Map<Integer, List<String>> differences = new HashMap<>();
    DIFFERENCES
        .on(connection)
        .set("merchantId", merchantId)
        .set("products", json(values, Map.of(), List.of()))
        .forEach(row -> differences.put(row.getInt("product_id"), Sql.texts(row, "fields")));
    return differences;
  }

  /**
   * Creates and changes products, in one change of the log for each.
   *
   * @param changed by product id
   * @param fields the {@link #differences} of each changed product; not empty
   * @return the number of the last change
   */
  @Nullable Long write(
      Connection connection,
      int merchantId,
      List<Created> created,
      Map<Integer, Values> changed,
      Map<Integer, List<String>> fields,
      Origin origin)
      throws SQLException {
    return ChangeLog.record(
        WRITE.on(connection).set("products", json(changed, fields, created)), merchantId, origin);
  }

  /** A new product with its id and its number. */
  record Created(int productId, int number, New product) {}

  /** Gives new products ids and numbers, and counts them. */
  List<Created> number(Connection connection, int merchantId, List<New> products)
      throws SQLException {
    if (products.isEmpty()) {
      return List.of();
    }
    int count = products.size();
    List<Integer> ids = ids(connection, merchantId, count);
    int first =
        COUNT
            .on(connection)
            .set("merchantId", merchantId)
            .set("count", count)
            .one(row -> row.getInt("number"));
    List<Created> created = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      created.add(new Created(ids.get(i), first + i, products.get(i)));
    }
    ProductBlocks.add(
        connection,
        merchantId,
        created.stream().map(one -> new ProductLocks.Locked(one.number, false)).toList());
    return created;
  }

  /**
   * If the directory is the same database, this uses the same connection: waiting for a second one
   * while holding the first could exhaust the pool.
   */
  private List<Integer> ids(Connection connection, int merchantId, int count) throws SQLException {
    List<Integer> given =
        TAKE_IDS
            .on(connection)
            .set("merchantId", merchantId)
            .set("count", count)
            .list(row -> row.getInt(1));
    int missing = count - given.size();
    if (missing == 0) {
      return given;
    }
    List<Integer> fresh =
        cells.of(merchantId).isSame(cells.directory())
            ? nextIds(connection, missing)
            : cells.directory().<List<Integer>>read(directory -> nextIds(directory, missing));
    return Stream.concat(given.stream(), fresh.stream()).sorted().toList();
  }

  private static List<Integer> nextIds(Connection connection, int count) throws SQLException {
    return NEXT_IDS.on(connection).set("count", count).list(row -> row.getInt(1));
  }

  private static String json(
      Map<Integer, Values> changed, Map<Integer, List<String>> fields, List<Created> created) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = Answer.FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      out.writeStartArray();
      created.forEach(
          one ->
              write(
                  out,
                  new Row(
                      one.productId,
                      one.number,
                      one.product.artNo,
                      ChangeLog.PRODUCT_FIELDS,
                      one.product.values)));
      changed.forEach(
          (id, values) ->
              write(out, new Row(id, null, "", fields.getOrDefault(id, List.of()), values)));
      out.writeEndArray();
    }
    return text.toString();
  }

  private static void write(JsonGenerator out, Row row) {
    Values values = row.values;
    out.writeStartObject();
    out.writeNumberProperty("product_id", row.productId);
    if (row.number != null) {
      out.writeNumberProperty("number", row.number);
    }
    text(out, "art_no", row.artNo);
    texts(out, "fields", row.fields);
    text(out, "title", values.title);
    text(out, "description", values.description);
    if (values.price != null) {
      out.writeNumberProperty("price", values.price);
    }
    texts(out, "imgs", values.imgs);
    text(out, "category_id_tree", values.categoryIdTree);
    text(out, "category_name_tree", values.categoryNameTree);
    texts(out, "attribute_names", values.attributeNames);
    texts(out, "attribute_values", values.attributeValues);
    text(out, "video", values.video);
    if (values.colorImages != null) {
      texts(out, "image_colors", List.copyOf(values.colorImages.keySet()));
      texts(out, "image_urls", List.copyOf(values.colorImages.values()));
    }
    out.writeEndObject();
  }

  private static void text(JsonGenerator out, String name, @Nullable String value) {
    if (value != null) {
      out.writeStringProperty(name, value);
    }
  }

  private static void texts(JsonGenerator out, String name, @Nullable List<String> values) {
    if (values != null) {
      out.writeArrayPropertyStart(name);
      values.forEach(out::writeString);
      out.writeEndArray();
    }
  }
}
