package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The statements that read a page of a merchant's products. They find the ids of the page with
 * index-only scans, and then read only these products. Parameters: {@code :merchantId}, {@code
 * :key} and {@code :limit}; a search also has {@code :prefix} and {@code :substring}.
 */
final class ProductSearch {
  private record Shape(boolean search, @Nullable Boolean stock, boolean backwards) {}

  private static final Map<Shape, Sql> STATEMENTS = new ConcurrentHashMap<>();

  private ProductSearch() {}

  static Sql statement(boolean search, @Nullable Boolean stock, boolean backwards) {
    return STATEMENTS.computeIfAbsent(
        new Shape(search, stock, backwards), shape -> Sql.of(text(shape)));
  }

  private static String text(Shape shape) {
    Boolean stock = shape.stock;
    boolean backwards = shape.backwards;
    String filter = stock == null ? "" : "and has_stock = " + stock;
    String order = backwards ? "desc" : "asc";
    String beyond = backwards ? "<" : ">";
    String found =
        (shape.search ? SEARCHED : LISTED).formatted(filter, order, beyond, filter(stock));
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
          where p.merchant_id = :merchantId
          order by p.product_id %s
          """
            .formatted(order);
  }

  /** Titles and stock are in different tables. */
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

  /** Pages by number, which ascends with the id and has an index by stock. */
  private static final String LISTED =
      """
      with found as (
        select product_id from product
        where merchant_id = :merchantId %1$s and number %3$s coalesce((
          select number from product where merchant_id = :merchantId and product_id = :key
        ), -1)
        order by number %2$s
        limit :limit
      )
      """;

  private static final String SEARCHED =
      """
      with found as (
        select product_id from (
          (select product_id from product
           where merchant_id = :merchantId and lower(art_no) like :prefix
             and product_id %3$s :key %1$s
           order by product_id %2$s limit :limit)
          union
          (select product_id from product_detail d
           where merchant_id = :merchantId and lower(title) like :substring
             and product_id %3$s :key %4$s
           order by product_id %2$s limit :limit)
        ) either
        order by product_id %2$s
        limit :limit
      )
      """;
}
