package io.stockroom.core.catalogue;

import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ProductText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds pictures to products, and to their colors. It runs in the transaction of its caller. */
public final class ProductPictures {
  /**
   * Where a picture of a product goes.
   *
   * @param color the color that it shows; null: it is one of the product's pictures
   * @param position among the product's pictures, from 1; 0: the last, or where it is already
   */
  public record Spot(int productId, @Nullable String color, int position) {}

  /** A product has no room for one more picture. */
  public static final class TooMany extends Exception {
    private static final long serialVersionUID = 1;
  }

  private record Present(List<String> imgs, List<String> colors, List<String> urls) {}

  private static final Sql READ =
      Sql.of(
          """
          select imgs, image_colors, image_urls from product_detail
          where merchant_id = :merchantId and product_id = :productId
          """);

  private static final Sql WRITE =
      ChangeLog.recording(
          """
          with set_detail as (
            update product_detail
            set imgs = :imgs, image_colors = :colors, image_urls = :urls
            where merchant_id = :merchantId and product_id = :productId
          ), set_product as (
            update product set pic = coalesce((:imgs::text[])[1], '')
            where merchant_id = :merchantId and product_id = :productId
              and pic <> coalesce((:imgs::text[])[1], '')
          ), grouped as (
            select :productId::int as product_id, 'product' as kind, false as created,
              array[:field::text] as fields, %s
          )
          """
              .formatted(ChangeLog.NO_STOCK));

  private ProductPictures() {}

  /**
   * Puts a picture there. The product exists, and is locked.
   *
   * @return the number of the change; null if the picture is there already
   */
  public static @Nullable Long put(
      Connection connection, int merchantId, Spot spot, String address, Origin origin)
      throws SQLException, TooMany {
    Present present =
        READ.on(connection)
            .set("merchantId", merchantId)
            .set("productId", spot.productId)
            .one(
                row ->
                    new Present(
                        new ArrayList<>(Sql.texts(row, "imgs")),
                        new ArrayList<>(Sql.texts(row, "image_colors")),
                        new ArrayList<>(Sql.texts(row, "image_urls"))));
    boolean isChanged =
        spot.color == null
            ? insert(present.imgs, address, spot.position)
            : set(present, spot.color, address);
    if (!isChanged) {
      return null;
    }
    if (present.imgs.size() > ProductText.MAX_IMAGES
        || present.colors.size() > ProductText.MAX_IMAGES) {
      throw new TooMany();
    }
    return ChangeLog.record(
        WRITE
            .on(connection)
            .set("productId", spot.productId)
            .set("imgs", present.imgs.toArray(String[]::new))
            .set("colors", present.colors.toArray(String[]::new))
            .set("urls", present.urls.toArray(String[]::new))
            .set("field", spot.color == null ? "imgs" : "colorImage"),
        merchantId,
        origin);
  }

  /** Moves a picture that is there already. */
  private static boolean insert(List<String> imgs, String address, int position) {
    int before = imgs.indexOf(address);
    if (before >= 0 && position == 0) {
      return false;
    }
    imgs.remove(address);
    int after = position == 0 ? imgs.size() : Math.min(position - 1, imgs.size());
    imgs.add(after, address);
    return after != before;
  }

  private static boolean set(Present present, String color, String address) {
    int known = present.colors.indexOf(color);
    if (known < 0) {
      present.colors.add(color);
      present.urls.add(address);
      return true;
    }
    return !present.urls.set(known, address).equals(address);
  }
}
