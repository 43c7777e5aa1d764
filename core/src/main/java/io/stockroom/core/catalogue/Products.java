package io.stockroom.core.catalogue;

import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.DetailFacts;
import io.stockroom.core.limits.DetailLimits;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads a product with everything that its detail shows. */
final class Products {
  private Products() {}

  /**
   * A product's detail and the facts that its limits need, read in one statement.
   *
   * @param detail null if the merchant has no such product
   */
  record Found(DetailLimits.Facts facts, @Nullable Detail detail) {}

  static Found detail(
      Connection connection, Caller caller, int productId, DetailLimits.Moment moment)
      throws SQLException {
    return DetailFacts.on(
            connection, DETAIL, caller.merchantId(), caller.boundStore(), productId, moment)
        .one(
            row -> {
              boolean exists = row.getString("art_no") != null;
              return new Found(DetailFacts.read(row), exists ? Detail.read(row) : null);
            });
  }

  static final String DETAIL_COLUMNS =
      """
      d.category_id_tree, d.category_name_tree, d.description, d.imgs, d.price, p.art_no, p.pic,
      d.attribute_names, d.attribute_values, d.image_colors, d.image_urls, m.store_url,
      m.store_name, d.title, d.video, s.colors, s.sizes, s.quantities
      """;

  static final String DETAIL_TABLES =
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
          select string_agg(size::text, ',' order by size) as sizes,
                 string_agg(quantity::text, ',' order by size) as quantities
          from stock_entry e
          where e.merchant_id = c.merchant_id and e.product_id = c.product_id
            and e.color_no = c.color_no
        ) e
        where c.merchant_id = p.merchant_id and c.product_id = p.product_id
          and e.sizes is not null
      ) s
      """;

  private static final Sql DETAIL =
      DetailFacts.beside(
          """
          select facts.*, %s
          from facts
          left join (%s) on p.merchant_id = :merchantId and p.product_id = :productId
          """
              .formatted(DETAIL_COLUMNS, DETAIL_TABLES));
}
