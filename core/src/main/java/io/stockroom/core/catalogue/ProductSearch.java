package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Builds the statements that find products by a filter.
 *
 * <p>A search first looks for its words in the trigram index, up to {@link #MAX_COUNTED} matches.
 * Few matches are then filtered, counted and sorted. If there are more, a page is found by walking
 * along the order and testing the words of each product. This ends soon, because many match. So a
 * word that all products contain is found as fast as a word that none contains.
 */
final class ProductSearch {
  /** With more matches than this, a search does not count. */
  static final int MAX_COUNTED = 1_000;

  private final int merchantId;
  private final List<String> patterns;
  private final List<String> conditions = new ArrayList<>();
  private final Map<String, Object> values = new HashMap<>();
  private boolean counted = true;

  ProductSearch(int merchantId, ProductFilter filter) {
    this.merchantId = merchantId;
    this.patterns = SearchText.patterns(filter.text());
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

  /** Another condition on {@code s}, which has a merchant and a product id. */
  void add(String condition, String name, Object value) {
    conditions.add(condition);
    values.put(name, value);
  }

  /** Looks for the words; call it before the other methods. */
  ProductSearch begin(Connection connection) throws SQLException {
    if (!patterns.isEmpty()) {
      List<Integer> found = matches(connection, "limit " + (MAX_COUNTED + 1));
      counted = found.size() <= MAX_COUNTED;
      if (counted) {
        only(found);
      } else {
        // a scalar subquery, so that PostgreSQL walks along the order
        add(
            """
            and (select %s from product_words w
                 where w.merchant_id = s.merchant_id and w.product_id = s.product_id)
            """
                .formatted(likes("w.words")),
            "word0",
            patterns.getFirst());
        setWords(values);
      }
    }
    return this;
  }

  /** Like {@link #begin}, with all matches, however long it takes. */
  ProductSearch beginAll(Connection connection) throws SQLException {
    if (!patterns.isEmpty()) {
      only(matches(connection, ""));
    }
    return this;
  }

  private void only(List<Integer> found) {
    add("and s.product_id = any (:found)", "found", found.toArray(Integer[]::new));
  }

  /** No order: PostgreSQL stops reading after enough matches. */
  private List<Integer> matches(Connection connection, String limit) throws SQLException {
    String text =
        "select product_id from product_words where merchant_id = :merchantId and "
            + likes("words")
            + " "
            + limit;
    Map<String, Object> words = new HashMap<>();
    setWords(words);
    return call(connection, text, words).list(row -> row.getInt("product_id"));
  }

  private String likes(String column) {
    List<String> likes = new ArrayList<>();
    for (int i = 0; i < patterns.size(); i++) {
      likes.add(column + " like :word" + i);
    }
    return String.join(" and ", likes);
  }

  private void setWords(Map<String, Object> to) {
    for (int i = 0; i < patterns.size(); i++) {
      to.put("word" + i, patterns.get(i));
    }
  }

  /** Whether {@link #count} is possible. */
  boolean isCounted() {
    return counted;
  }

  int count(Connection connection) throws SQLException {
    return call(connection, "select count(*) as total" + from(), values)
        .one(row -> row.getInt("total"));
  }

  /** The ids of everything that it finds, in the order of the interface. */
  List<Integer> ids(Connection connection) throws SQLException {
    return call(connection, "select s.product_id" + from() + " order by s.product_id", values)
        .list(row -> row.getInt("product_id"));
  }

  /** One page; the numbers are in the text, so that PostgreSQL plans for few rows. */
  Sql.Call page(
      Connection connection, ProductSort sort, boolean descending, long offset, int size) {
    String text =
        """
        select s.product_id, p.art_no, p.pic, d.title, d.price, s.status, s.quantity, s.changed_at
        from (
          select s.merchant_id, s.product_id%s
          order by %s limit %d offset %d
        ) found
        join product_summary s using (merchant_id, product_id)
        join product p using (merchant_id, product_id)
        join product_detail d using (merchant_id, product_id)
        order by %2$s
        """
            .formatted(from(), sort.clause(descending), size, offset);
    return call(connection, text, values);
  }

  /**
   * The first products by id, for a filter by words alone. Does not read the summaries, which may
   * be behind after a large change.
   */
  Sql.Call products(Connection connection, int limit) {
    String text =
        """
        select s.product_id, s.art_no, d.title, e.entries, e.quantity, e.least,
          coalesce(t.below, m.low_below) as low_below
        from (
          select s.merchant_id, s.product_id, s.art_no%s
          order by s.product_id limit %d
        ) s
        join product_detail d using (merchant_id, product_id)
        join merchant_data m using (merchant_id)
        left join low_stock_threshold t using (merchant_id, product_id)
        cross join lateral (
          select count(*) as entries, coalesce(sum(quantity), 0) as quantity,
            coalesce(min(quantity), 0) as least
          from stock_entry e
          where e.merchant_id = s.merchant_id and e.product_id = s.product_id
        ) e
        order by s.product_id
        """
            .formatted(from("product"), limit);
    return call(connection, text, values);
  }

  private String from() {
    return from("product_summary");
  }

  private String from(String table) {
    return " from "
        + table
        + " s where s.merchant_id = :merchantId "
        + String.join(" ", conditions);
  }

  private Sql.Call call(Connection connection, String text, Map<String, Object> parameters) {
    Sql.Call call = Sql.of(text).on(connection).set("merchantId", merchantId);
    parameters.forEach(call::set);
    return call;
  }
}
