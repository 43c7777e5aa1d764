package io.stockroom.core.catalogue;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates products and changes their fields, one at a time, as people do in the console. */
public final class ProductEditor {
  /** The columns of {@code product_detail} beside the key. */
  static final String COLUMNS =
      """
      title, description, imgs, price, category_id_tree, category_name_tree, attribute_names,
      attribute_values, video, image_colors, image_urls""";

  /**
   * The fields of a product that people edit.
   *
   * @param attributeValues side by side with the names
   */
  public record Fields(
      String title,
      String description,
      BigDecimal price,
      List<String> imgs,
      String categoryIdTree,
      String categoryNameTree,
      List<String> attributeNames,
      List<String> attributeValues,
      String video) {
    /** Compared in the order and with the names of the change log. */
    private List<String> differences(Fields old) {
      List<String> names = new ArrayList<>();
      differs(names, "title", title, old.title);
      differs(names, "description", description, old.description);
      if (price.compareTo(old.price) != 0) {
        names.add("price");
      }
      differs(names, "categoryIdTree", categoryIdTree, old.categoryIdTree);
      differs(names, "categoryNameTree", categoryNameTree, old.categoryNameTree);
      differs(names, "imgs", imgs, old.imgs);
      differs(names, "video", video, old.video);
      differs(
          names,
          "attributes",
          List.of(attributeNames, attributeValues),
          List.of(old.attributeNames, old.attributeValues));
      return names;
    }

    private static void differs(List<String> names, String name, Object now, Object before) {
      if (!now.equals(before)) {
        names.add(name);
      }
    }
  }

  /**
   * A product as somebody is about to edit it.
   *
   * @param seen the last change of its fields, which {@link #edit} expects
   */
  public record Editable(String artNo, Fields fields, long seen) {}

  /** What became of a form. */
  public sealed interface Outcome {
    record Saved(int productId) implements Outcome {}

    /** Another product has the item number; it may be archived. */
    record ArtNoUsed(int productId, boolean archived) implements Outcome {}

    /** Somebody else changed the product since it was shown. */
    record Changed() implements Outcome {}

    record Missing() implements Outcome {}
  }

  private final Cells cells;

  public ProductEditor(Cells cells) {
    this.cells = cells;
  }

  private static final Sql SAME_ART_NO =
      Sql.of(
          """
          select product_id, false as archived from product
          where merchant_id = :merchantId and art_no = :artNo
          union all
          select product_id, true from archived_product
          where merchant_id = :merchantId and art_no = :artNo
          """);

  private static final Sql TAKE_ID =
      Sql.of(
          """
          with lowest as (
            select first_id, last_id from product_id_range where merchant_id = :merchantId
            order by first_id limit 1
          ), used as (
            delete from product_id_range r using lowest l
            where r.merchant_id = :merchantId and r.first_id = l.first_id
          ), rest as (
            insert into product_id_range (merchant_id, first_id, last_id)
            select :merchantId, first_id + 1, last_id from lowest where first_id < last_id
          )
          select first_id from lowest
          """);

  private static final Sql NEXT_ID = Sql.of("select nextval('product_id')::int");

  private static final Sql COUNT =
      Sql.of(
          """
          update merchant_data set products = products + 1 where merchant_id = :merchantId
          returning products + archived - 1 as number
          """);

  private static final Sql CREATE =
      ChangeLog.recording(
          """
          with put_product as (
            insert into product (merchant_id, product_id, number, art_no, pic)
            values (:merchantId, :productId, :number, :artNo, :pic)
          ), put_detail as (
            insert into product_detail (merchant_id, product_id, %s)
            values (:merchantId, :productId, :title, :description, :imgs, :price, :categoryIds,
              :categoryNames, :attributeNames, :attributeValues, :video, '{}', '{}')
          ), grouped as (
            select :productId::int as product_id, 'product' as kind, true as created,
              :fields::text[] as fields, null::smallint[] as colors, null::smallint[] as sizes,
              null::int[] as quantities_before, null::int[] as quantities_after,
              null::text[] as barcodes_before, null::text[] as barcodes_after,
              null::bigint as undoes
          )
          """
              .formatted(COLUMNS));

  /**
   * Creates a product without stock. It locks the merchant, as an import does, so that numbers and
   * ids grow together.
   */
  public Outcome create(int merchantId, String artNo, Fields fields, Actor actor)
      throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              ProductLocks.lockMerchant(connection, merchantId);
              Outcome used =
                  SAME_ART_NO
                      .on(connection)
                      .set("merchantId", merchantId)
                      .set("artNo", artNo)
                      .<Outcome>first(
                          row -> new Outcome.ArtNoUsed(row.getInt(1), row.getBoolean(2)));
              if (used != null) {
                return used;
              }
              int id = nextId(connection, merchantId);
              int number =
                  COUNT
                      .on(connection)
                      .set("merchantId", merchantId)
                      .one(row -> row.getInt("number"));
              ProductBlocks.add(connection, merchantId, new ProductLocks.Locked(number, false));
              Sql.Call call =
                  set(CREATE.on(connection), fields)
                      .set("productId", id)
                      .set("number", number)
                      .set("artNo", artNo)
                      .set("fields", ChangeLog.PRODUCT_FIELDS.toArray(String[]::new));
              ChangeLog.record(call, merchantId, origin(actor, "product.create", id, artNo));
              return new Outcome.Saved(id);
            });
  }

  /**
   * The lowest id that the merchant was given and has not used; otherwise a new one. If the
   * directory is the same database, this uses the same connection: waiting for a second one while
   * holding the first could exhaust the pool.
   */
  private int nextId(Connection connection, int merchantId) throws SQLException {
    Integer reserved =
        TAKE_ID.on(connection).set("merchantId", merchantId).first(row -> row.getInt(1));
    if (reserved != null) {
      return reserved;
    }
    return cells.of(merchantId).isSame(cells.directory())
        ? newId(connection)
        : cells.directory().<Integer>read(ProductEditor::newId);
  }

  private static int newId(Connection connection) throws SQLException {
    return NEXT_ID.on(connection).one(row -> row.getInt(1));
  }

  private static final Sql READ =
      Sql.of(
          """
          select p.art_no, d.*, coalesce((
            select number from change_log c
            where c.merchant_id = p.merchant_id and c.product_id = p.product_id
              and c.kind = 'product'
            order by number desc limit 1
          ), 0) as seen
          from product p join product_detail d using (merchant_id, product_id)
          where p.merchant_id = :merchantId and p.product_id = :productId
          """);

  /** Null if this merchant has no such product. */
  public @Nullable Editable read(int merchantId, int productId) throws SQLException {
    return cells
        .of(merchantId)
        .<@Nullable Editable>read(connection -> read(connection, merchantId, productId));
  }

  private static @Nullable Editable read(Connection connection, int merchantId, int productId)
      throws SQLException {
    return READ.on(connection)
        .set("merchantId", merchantId)
        .set("productId", productId)
        .first(
            row ->
                new Editable(
                    row.getString("art_no"),
                    new Fields(
                        row.getString("title"),
                        row.getString("description"),
                        row.getBigDecimal("price"),
                        Sql.texts(row, "imgs"),
                        row.getString("category_id_tree"),
                        row.getString("category_name_tree"),
                        Sql.texts(row, "attribute_names"),
                        Sql.texts(row, "attribute_values"),
                        row.getString("video")),
                    row.getLong("seen")));
  }

  private static final Sql EDIT =
      ChangeLog.recording(
          """
          with put_product as (
            update product set pic = :pic
            where merchant_id = :merchantId and product_id = :productId and pic <> :pic
          ), put_detail as (
            update product_detail
            set title = :title, description = :description, imgs = :imgs, price = :price,
              category_id_tree = :categoryIds, category_name_tree = :categoryNames,
              attribute_names = :attributeNames, attribute_values = :attributeValues,
              video = :video
            where merchant_id = :merchantId and product_id = :productId
          ), grouped as (
            select :productId::int as product_id, 'product' as kind, false as created,
              :fields::text[] as fields, null::smallint[] as colors, null::smallint[] as sizes,
              null::int[] as quantities_before, null::int[] as quantities_after,
              null::text[] as barcodes_before, null::text[] as barcodes_after,
              null::bigint as undoes
          )
          """);

  /**
   * Writes the fields that differ.
   *
   * @param seen what {@link Editable#seen} was when the product was shown
   */
  public Outcome edit(int merchantId, int productId, Fields fields, long seen, Actor actor)
      throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              ProductLocks.lockProducts(connection, merchantId, List.of(productId));
              Editable present = read(connection, merchantId, productId);
              if (present == null) {
                return new Outcome.Missing();
              }
              List<String> differences = fields.differences(present.fields);
              if (differences.isEmpty()) {
                return new Outcome.Saved(productId);
              }
              if (present.seen != seen) {
                return new Outcome.Changed();
              }
              Sql.Call call =
                  set(EDIT.on(connection), fields)
                      .set("productId", productId)
                      .set("fields", differences.toArray(String[]::new));
              ChangeLog.record(
                  call,
                  merchantId,
                  origin(actor, "product.edit", productId, String.join(", ", differences)));
              return new Outcome.Saved(productId);
            });
  }

  private static Sql.Call set(Sql.Call call, Fields fields) {
    return call.set("title", fields.title)
        .set("description", fields.description)
        .set("imgs", fields.imgs.toArray(String[]::new))
        .set("price", fields.price)
        .set("categoryIds", fields.categoryIdTree)
        .set("categoryNames", fields.categoryNameTree)
        .set("attributeNames", fields.attributeNames.toArray(String[]::new))
        .set("attributeValues", fields.attributeValues.toArray(String[]::new))
        .set("video", fields.video)
        .set("pic", fields.imgs.isEmpty() ? "" : fields.imgs.getFirst());
  }

  private static Origin origin(Actor actor, String action, int productId, String details) {
    return new Origin(actor, ChangeSource.CONSOLE, action, String.valueOf(productId), details);
  }
}
