package io.stockroom.server.catalogue;

import org.jspecify.annotations.Nullable;

/**
 * The statement that finds a page of a merchant's products. First the ids of the page are found
 * from indexes alone, then these few products are read.
 */
final class ProductSearch {
  private ProductSearch() {}

  static String sql(boolean search, @Nullable Boolean stock, boolean backwards) {
    String filter = stock == null ? "" : "and has_stock = " + stock;
    String order = backwards ? "desc" : "asc";
    String beyond = backwards ? "<" : ">";
    String found = (search ? SEARCHED : LISTED).formatted(filter, order, beyond, filter(stock));
    return found
        + """
          select p.product_id, p.art_no, p.pic, p.has_stock, d.title, d.price,
                 coalesce(s.quantity, 0) as quantity, coalesce(s.least, 0) as least
          from found
          join product p using (product_id)
          join product_detail d using (merchant_id, product_id)
          left join lateral (
            select sum(e.quantity) as quantity, min(e.quantity) as least from stock_entry e
            where e.merchant_id = p.merchant_id and e.product_id = p.product_id
          ) s on true
          where p.merchant_id = ?
          order by p.product_id %s
          """
            .formatted(order);
  }

  /** Titles and stock lie in two tables. */
  private static String filter(@Nullable Boolean stock) {
    return stock == null
        ? ""
        : """
          and exists (
            select 1 from product p
            where p.merchant_id = d.merchant_id and p.product_id = d.product_id
              and p.has_stock = %s
          )
          """
            .formatted(stock);
  }

  /** Numbers grow with ids, and an index has them by stock. */
  private static final String LISTED =
      """
      with found as (
        select product_id from product
        where merchant_id = ? %1$s and number %3$s coalesce((
          select number from product where merchant_id = ? and product_id = ?
        ), -1)
        order by number %2$s
        limit ?
      )
      """;

  private static final String SEARCHED =
      """
      with found as (
        select product_id from (
          (select product_id from product
           where merchant_id = ? and lower(art_no) like ? and product_id %3$s ? %1$s
           order by product_id %2$s limit ?)
          union
          (select product_id from product_detail d
           where merchant_id = ? and lower(title) like ? and product_id %3$s ? %4$s
           order by product_id %2$s limit ?)
        ) either
        order by product_id %2$s
        limit ?
      )
      """;
}
