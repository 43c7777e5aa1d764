package io.stockroom.client;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A product to create, or the fields of one to change. A field that is not set stays as it is.
 *
 * <pre>{@code
 * ProductDraft.of("A8801").title("Canvas shoe").price(new BigDecimal("59.00"))
 * }</pre>
 */
public final class ProductDraft {
  private final ProductName product;
  private final @Nullable String title;
  private final @Nullable String description;
  private final @Nullable BigDecimal price;
  private final @Nullable List<String> imgs;
  private final @Nullable String categoryIdTree;
  private final @Nullable String categoryNameTree;
  private final @Nullable List<Map.Entry<String, String>> attributes;
  private final @Nullable String video;

  private ProductDraft(
      ProductName product,
      @Nullable String title,
      @Nullable String description,
      @Nullable BigDecimal price,
      @Nullable List<String> imgs,
      @Nullable String categoryIdTree,
      @Nullable String categoryNameTree,
      @Nullable List<Map.Entry<String, String>> attributes,
      @Nullable String video) {
    this.product = product;
    this.title = title;
    this.description = description;
    this.price = price;
    this.imgs = imgs;
    this.categoryIdTree = categoryIdTree;
    this.categoryNameTree = categoryNameTree;
    this.attributes = attributes;
    this.video = video;
  }

  /**
   * Starts a product that has this item number, or will have it.
   *
   * @param artNo the item number
   * @return a draft without fields
   */
  public static ProductDraft of(String artNo) {
    return of(ProductName.artNo(artNo));
  }

  /**
   * Starts a change of a product that exists.
   *
   * @param pid the product's id
   * @return a draft without fields
   */
  public static ProductDraft of(int pid) {
    return of(ProductName.pid(pid));
  }

  private static ProductDraft of(ProductName product) {
    return new ProductDraft(product, null, null, null, null, null, null, null, null);
  }

  /**
   * Sets the title. A new product needs one.
   *
   * @param text at most 300 characters
   * @return the draft with it
   */
  public ProductDraft title(String text) {
    return new ProductDraft(
        product,
        text,
        description,
        price,
        imgs,
        categoryIdTree,
        categoryNameTree,
        attributes,
        video);
  }

  /**
   * Sets the description.
   *
   * @param html the server removes scripts and styles, and its answer says what it removed
   * @return the draft with it
   */
  public ProductDraft description(String html) {
    return new ProductDraft(
        product, title, html, price, imgs, categoryIdTree, categoryNameTree, attributes, video);
  }

  /**
   * Sets the price. A new product needs one.
   *
   * @param amount with at most two decimals
   * @return the draft with it
   */
  public ProductDraft price(BigDecimal amount) {
    return new ProductDraft(
        product,
        title,
        description,
        amount,
        imgs,
        categoryIdTree,
        categoryNameTree,
        attributes,
        video);
  }

  /**
   * Sets the pictures.
   *
   * @param addresses their addresses, the main picture first
   * @return the draft with them
   */
  public ProductDraft imgs(Collection<String> addresses) {
    return new ProductDraft(
        product,
        title,
        description,
        price,
        List.copyOf(addresses),
        categoryIdTree,
        categoryNameTree,
        attributes,
        video);
  }

  /**
   * Sets the category.
   *
   * @param ids the path of ids, separated by commas
   * @param names the path of names, with as many parts
   * @return the draft with it
   */
  public ProductDraft category(String ids, String names) {
    return new ProductDraft(
        product, title, description, price, imgs, ids, names, attributes, video);
  }

  /**
   * Sets all attributes.
   *
   * @param values by name, in the order of the map
   * @return the draft with them
   */
  public ProductDraft attributes(Map<String, String> values) {
    return new ProductDraft(
        product,
        title,
        description,
        price,
        imgs,
        categoryIdTree,
        categoryNameTree,
        values.entrySet().stream().map(one -> Map.entry(one.getKey(), one.getValue())).toList(),
        video);
  }

  /**
   * Sets the video.
   *
   * @param address its address; empty to remove it
   * @return the draft with it
   */
  public ProductDraft video(String address) {
    return new ProductDraft(
        product,
        title,
        description,
        price,
        imgs,
        categoryIdTree,
        categoryNameTree,
        attributes,
        address);
  }

  static byte[] json(Collection<ProductDraft> drafts) {
    return Json.write(
        out -> {
          out.writeStartArray();
          drafts.forEach(draft -> draft.write(out));
          out.writeEndArray();
        });
  }

  private void write(JsonGenerator out) {
    out.writeStartObject();
    product.write(out);
    text(out, "title", title);
    text(out, "description", description);
    if (price != null) {
      out.writeNumberProperty("price", price);
    }
    if (imgs != null) {
      out.writeArrayPropertyStart("imgs");
      imgs.forEach(out::writeString);
      out.writeEndArray();
    }
    text(out, "categoryIdTree", categoryIdTree);
    text(out, "categoryNameTree", categoryNameTree);
    if (attributes != null) {
      out.writeArrayPropertyStart("attributes");
      for (Map.Entry<String, String> attribute : attributes) {
        out.writeStartObject();
        out.writeStringProperty("name", attribute.getKey());
        out.writeStringProperty("value", attribute.getValue());
        out.writeEndObject();
      }
      out.writeEndArray();
    }
    text(out, "video", video);
    out.writeEndObject();
  }

  private static void text(JsonGenerator out, String name, @Nullable String value) {
    if (value != null) {
      out.writeStringProperty(name, value);
    }
  }
}
