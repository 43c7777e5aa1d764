package io.stockroom.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where a picture goes.
 *
 * @param product the product that shows it; null: the picture is only stored
 * @param color the color of the product that it shows; null: it is one of the product's pictures
 * @param position among the product's pictures, from 1; 0: the last
 */
public record PictureSpot(@Nullable ProductName product, @Nullable String color, int position) {
  /** The picture is only stored, for a description or a later call. */
  public static final PictureSpot NONE = new PictureSpot(null, null, 0);

  /**
   * The last picture of a product.
   *
   * @param product the product
   * @return the spot
   */
  public static PictureSpot of(ProductName product) {
    return new PictureSpot(product, null, 0);
  }

  /**
   * The picture of a color.
   *
   * @param name the color
   * @return the spot
   */
  public PictureSpot color(String name) {
    return new PictureSpot(product, name, 0);
  }

  /**
   * A place among the product's pictures.
   *
   * @param place 1 is the main picture
   * @return the spot
   */
  public PictureSpot position(int place) {
    return new PictureSpot(product, null, place);
  }

  String query() {
    StringBuilder query = new StringBuilder();
    if (product != null) {
      add(query, "pid", product.pid());
      add(query, "artNo", product.artNo());
    }
    add(query, "color", color);
    add(query, "position", position == 0 ? null : position);
    return query.toString();
  }

  private static void add(StringBuilder query, String name, @Nullable Object value) {
    if (value != null) {
      query
          .append(query.isEmpty() ? '?' : '&')
          .append(name)
          .append('=')
          .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
    }
  }
}
