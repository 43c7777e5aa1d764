package io.stockroom.server.catalogue;

import io.stockroom.server.call.Caller;
import io.stockroom.server.limits.DetailLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A product as its detail shows it. */
public final class Products {
  private Products() {}

  /**
   * A product's detail with the facts that its limits are judged by, read in one statement.
   *
   * @param detail null where the merchant has no such product
   */
  record Found(DetailLimits.Facts facts, @Nullable Detail detail) {}

  static Found detail(
      Connection connection, Caller caller, int productId, DetailLimits.Moment moment)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(DETAIL)) {
      int next =
          DetailLimits.bindFacts(
              statement, caller.merchantId(), caller.boundStore(), productId, moment);
      statement.setInt(next, caller.merchantId());
      statement.setInt(next + 1, productId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        boolean exists = row.getString("art_no") != null;
        return new Found(DetailLimits.readFacts(row), exists ? Detail.read(row) : null);
      }
    }
  }

  static final String DETAIL_COLUMNS =
      """
      d.category_id_tree, d.category_name_tree, d.description, d.imgs, d.price, p.art_no, p.pic,
      d.attribute_names, d.attribute_values, d.image_colours, d.image_urls, m.store_url,
      m.store_name, d.title, d.video, s.colours, s.sizes, s.quantities
      """;

  static final String DETAIL_TABLES =
      """
      product p
      join product_detail d using (merchant_id, product_id)
      join merchant m using (merchant_id)
      cross join lateral (
        select array_agg(c.colour order by c.colour_no) as colours,
               array_agg(e.sizes order by c.colour_no) as sizes,
               array_agg(e.quantities order by c.colour_no) as quantities
        from stock_colour c
        cross join lateral (
          select string_agg(size::text, ',' order by size) as sizes,
                 string_agg(quantity::text, ',' order by size) as quantities
          from stock_entry e
          where e.merchant_id = c.merchant_id and e.product_id = c.product_id
            and e.colour_no = c.colour_no
        ) e
        where c.merchant_id = p.merchant_id and c.product_id = p.product_id
          and e.sizes is not null
      ) s
      """;

  private static final String DETAIL =
      """
      with %s
      select facts.*, %s
      from facts
      left join (%s) on p.merchant_id = ? and p.product_id = ?
      """
          .formatted(DetailLimits.FACTS, DETAIL_COLUMNS, DETAIL_TABLES);
}
