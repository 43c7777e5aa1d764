package io.stockroom.core.catalogue;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates products and changes their fields, one at a time, as people do in the console. */
public final class ProductEditor {
  /**
   * The fields of a product that people edit.
   *
   * @param attributeValues side by side with the names
   * @param colorImages the address of a picture by its color, in the order of the product; null:
   *     they stay as they are
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
      String video,
      @Nullable Map<String, String> colorImages) {
    private ProductWriter.Values values() {
      return new ProductWriter.Values(
          title,
          description,
          price,
          imgs,
          categoryIdTree,
          categoryNameTree,
          attributeNames,
          attributeValues,
          video,
          colorImages);
    }
  }

  /**
   * A product as somebody is about to edit it.
   *
   * @param colors those of its stock
   * @param seen the last change of its fields, which {@link #edit} expects
   */
  public record Editable(String artNo, Fields fields, List<String> colors, long seen) {
    public Map<String, String> colorImages() {
      return Objects.requireNonNull(fields.colorImages);
    }
  }

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
  private final ProductWriter writer;

  public ProductEditor(Cells cells) {
    this.cells = cells;
    this.writer = new ProductWriter(cells);
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
              List<ProductWriter.Created> created =
                  writer.number(
                      connection,
                      merchantId,
                      List.of(new ProductWriter.New(artNo, fields.values())));
              int id = created.getFirst().productId();
              writer.write(
                  connection,
                  merchantId,
                  created,
                  Map.of(),
                  Map.of(),
                  origin(actor, "product.create", id, artNo));
              return new Outcome.Saved(id);
            });
  }

  private static final Sql READ =
      Sql.of(
          """
          select p.art_no, d.*, array(
            select color from stock_color c
            where c.merchant_id = p.merchant_id and c.product_id = p.product_id
            order by color_no
          ) as colors, coalesce((
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
                        row.getString("video"),
                        colorImages(row)),
                    Sql.texts(row, "colors"),
                    row.getLong("seen")));
  }

  private static Map<String, String> colorImages(ResultSet row) throws SQLException {
    List<String> colors = Sql.texts(row, "image_colors");
    List<String> addresses = Sql.texts(row, "image_urls");
    Map<String, String> images = new LinkedHashMap<>();
    for (int i = 0; i < colors.size(); i++) {
      images.putIfAbsent(colors.get(i), addresses.get(i));
    }
    return images;
  }

  private static final Sql SEEN =
      Sql.of(
          """
          select number from change_log
          where merchant_id = :merchantId and product_id = :productId and kind = 'product'
          order by number desc limit 1
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
              Map<Integer, ProductWriter.Values> values = Map.of(productId, fields.values());
              Map<Integer, List<String>> differences =
                  ProductWriter.differences(connection, merchantId, values);
              List<String> changed = differences.get(productId);
              if (changed == null) {
                return new Outcome.Missing();
              }
              if (changed.isEmpty()) {
                return new Outcome.Saved(productId);
              }
              if (seen(connection, merchantId, productId) != seen) {
                return new Outcome.Changed();
              }
              writer.write(
                  connection,
                  merchantId,
                  List.of(),
                  values,
                  differences,
                  origin(actor, "product.edit", productId, String.join(", ", changed)));
              return new Outcome.Saved(productId);
            });
  }

  /**
   * Sets the picture of one color.
   *
   * @param before its present address, or empty for none; otherwise nothing is written
   * @param address empty: the color has no picture
   */
  public Outcome setColorImage(
      int merchantId, int productId, String color, String before, String address, Actor actor)
      throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              ProductLocks.lockProducts(connection, merchantId, List.of(productId));
              Editable product = read(connection, merchantId, productId);
              if (product == null) {
                return new Outcome.Missing();
              }
              Map<String, String> images = new LinkedHashMap<>(product.colorImages());
              if (!images.containsKey(color) && !product.colors.contains(color)) {
                return new Outcome.Missing();
              }
              if (!images.getOrDefault(color, "").equals(before)) {
                return new Outcome.Changed();
              }
              if (address.equals(before)) {
                return new Outcome.Saved(productId);
              }
              if (address.isEmpty()) {
                images.remove(color);
              } else {
                images.put(color, address);
              }
              writer.write(
                  connection,
                  merchantId,
                  List.of(),
                  Map.of(productId, ProductWriter.Values.ofColorImages(images)),
                  Map.of(productId, List.of("colorImage")),
                  origin(actor, "product.edit", productId, "colorImage"));
              return new Outcome.Saved(productId);
            });
  }

  private static long seen(Connection connection, int merchantId, int productId)
      throws SQLException {
    Long number =
        SEEN.on(connection)
            .set("merchantId", merchantId)
            .set("productId", productId)
            .<Long>first(row -> row.getLong("number"));
    return number == null ? 0 : number;
  }

  private static Origin origin(Actor actor, String action, int productId, String details) {
    return new Origin(actor, ChangeSource.CONSOLE, action, String.valueOf(productId), details);
  }
}
