package io.stockroom.server.catalogue;

import io.stockroom.server.access.Caller;
import io.stockroom.server.database.Database;
import io.stockroom.server.limits.DetailLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The products of merchants, as the interface reads them: one statement each. */
public final class Products {
  /** How many consecutive product numbers share a row of {@code product_block}. */
  public static final int BLOCK = 256;

  private final Database database;

  public Products(Database database) {
    this.database = database;
  }

  /** A page is a range of product numbers, so the last one costs what the first one costs. */
  ProductList.Page page(int merchantId, int page, int pageSize) throws SQLException {
    long first = (page - 1L) * pageSize;
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select m.products, p.product_id, p.art_no, p.pic
                  from merchant m
                  left join product p
                    on p.merchant_id = m.merchant_id and p.number >= ? and p.number < ?
                  where m.merchant_id = ?
                  order by p.number
                  """)) {
            statement.setInt(1, (int) Math.min(first, Integer.MAX_VALUE));
            statement.setInt(2, (int) Math.min(first + pageSize, Integer.MAX_VALUE));
            statement.setInt(3, merchantId);
            return readPage(statement, pageSize);
          }
        });
  }

  /** Adds up the kept counts of the blocks to find where the page begins. */
  ProductList.Page filteredPage(int merchantId, boolean hasStock, int page, int pageSize)
      throws SQLException {
    long skipped = (page - 1L) * pageSize;
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(hasStock ? WITH_STOCK : WITHOUT_STOCK)) {
            statement.setInt(1, merchantId);
            statement.setLong(2, skipped);
            statement.setLong(3, skipped);
            statement.setInt(4, merchantId);
            statement.setInt(5, pageSize);
            return readPage(statement, pageSize);
          }
        });
  }

  private static final String FILTERED =
      """
      with block as materialized (
        select block, matching, sum(matching) over (order by block) as upto
        from (select block, %1$s as matching from product_block where merchant_id = ?) counted
      ), start as (
        select block * %3$d as number, ? - (upto - matching) as skip
        from block where upto > ? order by block limit 1
      )
      select (select coalesce(max(upto), 0) from block) as total,
             p.product_id, p.art_no, p.pic
      from (select 1) one
      left join (
        select found.product_id, found.art_no, found.pic, found.number
        from start, lateral (
          select product_id, art_no, pic, number from product
          where merchant_id = ? and has_stock = %2$s and number >= start.number
          order by number
          offset start.skip limit ?
        ) found
      ) p on true
      order by p.number
      """;
  private static final String WITH_STOCK = FILTERED.formatted("with_stock", "true", BLOCK);
  private static final String WITHOUT_STOCK =
      FILTERED.formatted("products - with_stock", "false", BLOCK);

  private static ProductList.Page readPage(PreparedStatement statement, int pageSize)
      throws SQLException {
    int total = 0;
    List<ProductList.Summary> data = new ArrayList<>(pageSize);
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        total = rows.getInt(1);
        int id = rows.getInt(2);
        if (!rows.wasNull()) {
          data.add(new ProductList.Summary(id, rows.getString(3), rows.getString(4)));
        }
      }
    }
    return new ProductList.Page((total + pageSize - 1) / pageSize, data);
  }

  /**
   * A product's detail with the facts that its limits are judged by, read in one statement.
   *
   * @param detail null where the merchant has no such product
   */
  record Found(DetailLimits.Facts facts, @Nullable Detail detail) {}

  Found detail(Connection connection, Caller caller, int productId, DetailLimits.Moment moment)
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
