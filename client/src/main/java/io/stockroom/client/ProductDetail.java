package io.stockroom.client;

import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Size;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * The data for listing a product.
 *
 * @param categoryIdTree the ids of its categories, comma-separated, the broadest first
 * @param categoryNameTree their names, in the same order
 * @param description an HTML fragment as the operator imported it: sanitize it before you show it
 * @param imgs the URLs of its pictures
 * @param price the price, with two decimals
 * @param outerId the store's short name, item number and price, separated by slashes
 * @param picUrl the first picture; empty if there is none
 * @param attributes further attributes, in the operator's order
 * @param skus its colors with their sizes; empty for a product without stock
 * @param storeUrl the store's short name
 * @param storeName the store's name for buyers
 * @param title the title
 * @param video the URL of a video; empty if there is none
 */
public record ProductDetail(
    String categoryIdTree,
    String categoryNameTree,
    String description,
    List<String> imgs,
    BigDecimal price,
    String outerId,
    String picUrl,
    List<Attribute> attributes,
    List<Sku> skus,
    String storeUrl,
    String storeName,
    String title,
    String video) {
  /** Copies the lists. */
  public ProductDetail {
    imgs = List.copyOf(imgs);
    attributes = List.copyOf(attributes);
    skus = List.copyOf(skus);
  }

  /**
   * An attribute of a product.
   *
   * @param name its name
   * @param value its value
   */
  public record Attribute(String name, String value) {}

  /**
   * One color of a product.
   *
   * @param color the color's name
   * @param sizes its sizes, ascending
   * @param skuImg the picture of the color; may be empty
   */
  public record Sku(String color, List<SizeStock> sizes, String skuImg) {
    /** Copies the list. */
    public Sku {
      sizes = List.copyOf(sizes);
    }
  }

  /**
   * One size of a color.
   *
   * @param size the size
   * @param stock the quantity
   */
  public record SizeStock(Size size, int stock) {}

  static ProductDetail read(Fields fields) {
    return new ProductDetail(
        fields.text("categoryIdTree"),
        fields.text("categoryNameTree"),
        fields.text("description"),
        fields.texts("imgs"),
        fields.decimal("price"),
        fields.text("outerId"),
        fields.text("picUrl"),
        fields.list("attributes", a -> new Attribute(a.text("name"), a.text("value"))),
        fields.list("skus", ProductDetail::sku),
        fields.text("storeUrl"),
        fields.text("storeName"),
        fields.text("title"),
        fields.text("video"));
  }

  private static Sku sku(Fields fields) {
    return new Sku(fields.text("color"), sizes(fields), fields.text("skuImg"));
  }

  /** The response has sizes and quantities in two comma-separated lists of the same length. */
  private static List<SizeStock> sizes(Fields fields) {
    String[] sizes = fields.text("size").split(",", -1);
    String[] quantities = fields.text("stockNum").split(",", -1);
    if (sizes.length != quantities.length) {
      throw fields.misfit("stockNum", "as many quantities as sizes");
    }
    List<SizeStock> all = new ArrayList<>(sizes.length);
    for (int i = 0; i < sizes.length; i++) {
      try {
        all.add(new SizeStock(Size.of(sizes[i]), Integer.parseInt(quantities[i].strip())));
      } catch (NumberFormatException notWhole) {
        throw fields.misfit("stockNum", "whole numbers in stockNum");
      } catch (InvalidValue noSize) {
        throw fields.misfit("size", "sizes of at most 20 characters");
      }
    }
    return all;
  }
}
