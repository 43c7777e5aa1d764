package io.stockroom.core.catalogue;

import io.stockroom.core.call.Answer;
import io.stockroom.protocol.Language;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** The detail of one product, with the field names of the interface. */
public record Detail(
    String categoryIdTree,
    String categoryNameTree,
    String description,
    List<String> imgs,
    BigDecimal price,
    String artNo,
    String picUrl,
    List<Attribute> attributes,
    List<Sku> skus,
    String storeUrl,
    String storeName,
    String title,
    String video)
    implements Answer {

  /** The columns that {@link #read} expects. */
  static final String COLUMNS =
      """
      d.category_id_tree, d.category_name_tree, d.description, d.imgs, d.price, p.art_no, p.pic,
      d.attribute_names, d.attribute_values, d.image_colors, d.image_urls, m.store_url,
      m.store_name, d.title, d.video, s.colors, s.sizes, s.quantities
      """;

  static final String TABLES =
      """
      product p
      join product_detail d using (merchant_id, product_id)
      join merchant_data m using (merchant_id)
      cross join lateral (
        select array_agg(c.color order by c.color_no) as colors,
               array_agg(e.sizes order by c.color_no) as sizes,
               array_agg(e.quantities order by c.color_no) as quantities
        from stock_color c
        cross join lateral (
          select string_agg(size_text, ',' order by size) as sizes,
                 string_agg(quantity::text, ',' order by size) as quantities
          from stock_entry e
          where e.merchant_id = c.merchant_id and e.product_id = c.product_id
            and e.color_no = c.color_no
        ) e
        where c.merchant_id = p.merchant_id and c.product_id = p.product_id
          and e.sizes is not null
      ) s
      """;

  public record Attribute(String name, String value) {}

  public record Sku(String color, String size, String stockNum, String skuImg) {}

  static Detail read(ResultSet row) throws SQLException {
    return new Detail(
        row.getString("category_id_tree"),
        row.getString("category_name_tree"),
        row.getString("description"),
        texts(row.getArray("imgs")),
        row.getBigDecimal("price"),
        row.getString("art_no"),
        row.getString("pic"),
        attributes(row),
        skus(row),
        row.getString("store_url"),
        row.getString("store_name"),
        row.getString("title"),
        row.getString("video"));
  }

  /** {@code store/item number/price}. */
  public String outerId() {
    return storeUrl + "/" + artNo + "/" + price.toPlainString();
  }

  @Override
  public void write(JsonGenerator out, Language language) {
    out.writeStartObject();
    out.writeBooleanProperty("success", true);
    out.writeStringProperty("msg", "");
    out.writeObjectPropertyStart("data");
    out.writeStringProperty("categoryIdTree", categoryIdTree);
    out.writeStringProperty("categoryNameTree", categoryNameTree);
    out.writeStringProperty("description", description);
    out.writeArrayPropertyStart("imgs");
    imgs.forEach(out::writeString);
    out.writeEndArray();
    out.writeNumberProperty("price", price);
    out.writeStringProperty("outerId", outerId());
    out.writeStringProperty("picUrl", picUrl);
    writeAttributes(out);
    writeSkus(out);
    out.writeStringProperty("storeUrl", storeUrl);
    out.writeStringProperty("storeName", storeName);
    out.writeStringProperty("title", title);
    out.writeStringProperty("video", video);
    out.writeEndObject();
    out.writeEndObject();
  }

  private void writeAttributes(JsonGenerator out) {
    out.writeArrayPropertyStart("attributes");
    for (Attribute attribute : attributes) {
      out.writeStartObject();
      out.writeStringProperty("name", attribute.name);
      out.writeStringProperty("value", attribute.value);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void writeSkus(JsonGenerator out) {
    out.writeArrayPropertyStart("skus");
    for (Sku sku : skus) {
      out.writeStartObject();
      out.writeStringProperty("color", sku.color);
      out.writeStringProperty("size", sku.size);
      out.writeStringProperty("stockNum", sku.stockNum);
      out.writeStringProperty("skuImg", sku.skuImg);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static List<Attribute> attributes(ResultSet row) throws SQLException {
    List<String> names = texts(row.getArray("attribute_names"));
    List<String> values = texts(row.getArray("attribute_values"));
    List<Attribute> attributes = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      attributes.add(new Attribute(names.get(i), values.get(i)));
    }
    return attributes;
  }

  private static List<Sku> skus(ResultSet row) throws SQLException {
    Array found = row.getArray("colors");
    if (found == null) {
      return List.of();
    }
    List<String> colors = texts(found);
    List<String> sizes = texts(row.getArray("sizes"));
    List<String> quantities = texts(row.getArray("quantities"));
    List<String> imageColors = texts(row.getArray("image_colors"));
    List<String> imageUrls = texts(row.getArray("image_urls"));
    List<Sku> skus = new ArrayList<>(colors.size());
    for (int i = 0; i < colors.size(); i++) {
      int image = imageColors.indexOf(colors.get(i));
      String skuImg = image < 0 ? "" : imageUrls.get(image);
      skus.add(new Sku(colors.get(i), sizes.get(i), quantities.get(i), skuImg));
    }
    return skus;
  }

  private static List<String> texts(Array array) throws SQLException {
    return Arrays.asList((String[]) array.getArray());
  }
}
