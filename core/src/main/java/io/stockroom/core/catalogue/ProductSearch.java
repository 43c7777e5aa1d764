package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Builds the statements that find products by a filter. A search looks at no more than {@link
 * #MAX_MATCHES} matches, so a word that every product has is as fast as a rare one.
 */
final class ProductSearch {
  static final int MAX_MATCHES = 5_000;

  private final int merchantId;
  private final List<String> conditions = new ArrayList<>();
  private final Map<String, Object> values = new HashMap<>();
  private final String found;

  ProductSearch(int merchantId, ProductFilter filter) {
    this.merchantId = merchantId;
    List<String> patterns = SearchText.patterns(filter.text());
    this.found = found(patterns);
    if (!patterns.isEmpty()) {
      conditions.add("and s.product_id in (select product_id from found)");
    }
    StockStatus status = filter.status();
    if (status != null) {
      add("and s.status = :status", "status", status.word());
    }
    if (!filter.category().isEmpty()) {
      add("and s.category = :category", "category", filter.category());
    }
    if (!filter.color().isEmpty()) {
      String color = filter.color().toLowerCase(Locale.ROOT).replaceAll("([\\\\%_])", "\\\\$1");
      add("and s.colors like :color", "color", "%" + color + "%");
    }
    if (filter.minPrice() != null) {
      add("and s.price >= :minPrice", "minPrice", filter.minPrice());
    }
    if (filter.maxPrice() != null) {
      add("and s.price <= :maxPrice", "maxPrice", filter.maxPrice());
    }
    if (filter.changedSince() != null) {
      add("and s.changed_at >= :changedSince", "changedSince", filter.changedSince());
    }
  }

  private void add(String condition, String name, Object value) {
    conditions.add(condition);
    values.put(name, value);
  }

  /** No order: PostgreSQL stops reading after enough matches. */
  private String found(List<String> patterns) {
    if (patterns.isEmpty()) {
      return "";
    }
    StringBuilder like = new StringBuilder();
    for (int i = 0; i < patterns.size(); i++) {
      like.append(" and words like :word").append(i);
      values.put("word" + i, patterns.get(i));
    }
    return """
        with found as materialized (
          select product_id from product_words where merchant_id = :merchantId%s limit %d
        )
        """
        .formatted(like, MAX_MATCHES + 1);
  }

  /** Counts what it finds. */
  Sql.Call count(Connection connection) {
    return call(connection, found + "select count(*) as total" + from());
  }

  /** The ids of everything that it finds, in the order of the interface. */
  Sql.Call ids(Connection connection) {
    return call(connection, found + "select s.product_id" + from() + " order by s.product_id");
  }

  /** One page; the numbers are in the text, so that PostgreSQL plans for few rows. */
  Sql.Call page(
      Connection connection, ProductSort sort, boolean descending, long offset, int size) {
    String columns =
        """
        select s.product_id, p.art_no, p.pic, d.title, d.price, s.status, s.quantity, s.changed_at
        from (
          select s.*%s
          order by %s limit %d offset %d
        ) s
        join product p using (merchant_id, product_id)
        join product_detail d using (merchant_id, product_id)
        order by %2$s
        """
            .formatted(from(), sort.clause(descending), size, offset);
    return call(connection, found + columns);
  }

  private String from() {
    return " from product_summary s where s.merchant_id = :merchantId "
        + String.join(" ", conditions);
  }

  private Sql.Call call(Connection connection, String text) {
    Sql.Call call = Sql.of(text).on(connection).set("merchantId", merchantId);
    values.forEach(call::set);
    return call;
  }
}
