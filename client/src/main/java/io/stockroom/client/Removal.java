package io.stockroom.client;

import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.SizeJson;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * What to remove from a product's stock: an entry, a color with all sizes, or a size in all colors.
 *
 * @param product the product; null if a barcode names the entry
 * @param color the color; null for every color
 * @param size the size; null for every size
 * @param barCode the barcode of the entry, or null
 */
public record Removal(
    @Nullable ProductName product,
    @Nullable String color,
    @Nullable Size size,
    @Nullable String barCode) {
  /**
   * Removes one entry.
   *
   * @param product the product
   * @param color the color
   * @param size the size
   * @return the removal
   */
  public static Removal entry(ProductName product, String color, String size) {
    return new Removal(product, color, Size.of(size), null);
  }

  /**
   * Removes all sizes of a color.
   *
   * @param product the product
   * @param color the color
   * @return the removal
   */
  public static Removal color(ProductName product, String color) {
    return new Removal(product, color, null, null);
  }

  /**
   * Removes a size in all colors.
   *
   * @param product the product
   * @param size the size
   * @return the removal
   */
  public static Removal size(ProductName product, String size) {
    return new Removal(product, null, Size.of(size), null);
  }

  /**
   * Removes the entry with a barcode.
   *
   * @param barCode the barcode
   * @return the removal
   */
  public static Removal barCode(String barCode) {
    return new Removal(null, null, null, barCode);
  }

  static byte[] json(Collection<Removal> removals) {
    return Json.write(
        out -> {
          out.writeStartArray();
          removals.forEach(removal -> removal.write(out));
          out.writeEndArray();
        });
  }

  private void write(JsonGenerator out) {
    out.writeStartObject();
    if (product != null) {
      product.write(out);
    }
    if (color != null) {
      out.writeStringProperty("color", color);
    }
    if (size != null) {
      out.writeName("size");
      SizeJson.write(out, size);
    }
    if (barCode != null) {
      out.writeStringProperty("barCode", barCode);
    }
    out.writeEndObject();
  }
}
