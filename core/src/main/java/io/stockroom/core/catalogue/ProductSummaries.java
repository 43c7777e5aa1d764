package io.stockroom.core.catalogue;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Rows;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the summaries of products up to date: status, quantity, colors and the words to search by.
 * The change log tells which products changed, so writes of stock pay nothing. A page summarizes
 * what changed just before it, and a background job the rest.
 */
public final class ProductSummaries {
  /** A page that follows a large import shows older summaries rather than wait longer. */
  private static final Duration PAGE_BUDGET = Duration.ofMillis(400);

  private static final Duration BACKGROUND_BUDGET = Duration.ofSeconds(5);
  private static final int PRODUCTS_AT_ONCE = 1_000;
  private static final int MERCHANTS_AT_ONCE = 200;

  private record Head(long number, @Nullable Integer rebuiltTo) {}

  /** The products to summarize next, and the head after that. */
  private record Step(List<Integer> products, long number, @Nullable Integer rebuiltTo) {}

  private record Counts(int products, int low, int soldOut, int noneYet) {}

  private static final Sql IS_CURRENT =
      Sql.of(
          """
          select 1 from product_summary_head s
          join log_head l using (merchant_id)
          where s.merchant_id = :merchantId and s.number >= l.last_change
            and s.rebuilt_to is null
          """);

  private static final Sql BEHIND =
      Sql.of(
          """
          select m.merchant_id from merchant_data m
          join log_head l using (merchant_id)
          left join product_summary_head s using (merchant_id)
          where s.merchant_id is null or s.number < l.last_change or s.rebuilt_to is not null
          limit :limit
          """);

  private static final Sql CREATE_HEAD =
      Sql.of(
          """
          insert into product_summary_head (merchant_id, number)
          select merchant_id, last_change from log_head where merchant_id = :merchantId
          on conflict do nothing
          """);

  private static final Sql LOCK_HEAD =
      Sql.of(
          """
          select number, rebuilt_to from product_summary_head
          where merchant_id = :merchantId for update
          """);

  /** If changes were deleted before they were summarized, everything is summarized again. */
  private static final Sql LOG_HAS_GAP =
      Sql.of(
          """
          select 1 from log_head l where l.merchant_id = :merchantId and l.last_change > :number
            and not exists (
              select 1 from change_log c
              where c.merchant_id = l.merchant_id and c.number = :number + 1)
          """);

  private static final Sql CHANGED =
      Sql.of(
          """
          select number, product_id from change_log
          where merchant_id = :merchantId and number > :number
          order by number limit :limit
          """);

  private static final Sql NEXT_PRODUCTS =
      Sql.of(
          """
          select product_id from product
          where merchant_id = :merchantId and product_id > :after
          order by product_id limit :limit
          """);

  private static final Sql COUNT =
      Sql.of(
          """
          select count(*) as products, count(*) filter (where status = 'low') as low,
            count(*) filter (where status = 'sold-out') as sold_out,
            count(*) filter (where status = 'none-yet') as none_yet
          from product_summary
          where merchant_id = :merchantId and product_id = any (:products)
          """);

  private static final Sql SUMMARIZE =
      Sql.of(
          """
          insert into product_summary (merchant_id, product_id, art_no, title, price, category,
            colors, status, quantity, low_entries, sold_out_entries, changed_at)
          select p.merchant_id, p.product_id, lower(p.art_no), lower(d.title), d.price,
            d.category_name_tree, coalesce(c.colors, ''),
            case when s.entries = 0 then 'none-yet' when s.quantity = 0 then 'sold-out'
              when s.low + s.sold_out > 0 then 'low' else 'in-stock' end,
            s.quantity, s.low, s.sold_out, (
              select l.at from change_log l
              where l.merchant_id = p.merchant_id and l.product_id = p.product_id
              order by l.number desc limit 1
            )
          from product p
          join product_detail d using (merchant_id, product_id)
          join merchant_data m using (merchant_id)
          left join low_stock_threshold t using (merchant_id, product_id)
          cross join lateral (
            select count(*) as entries, coalesce(sum(quantity), 0) as quantity,
              count(*) filter (
                where quantity > 0 and quantity < coalesce(t.below, m.low_below)) as low,
              count(*) filter (where quantity = 0) as sold_out
            from stock_entry e
            where e.merchant_id = p.merchant_id and e.product_id = p.product_id
          ) s
          cross join lateral (
            select string_agg(lower(color), chr(10) order by color_no) as colors
            from stock_color k
            where k.merchant_id = p.merchant_id and k.product_id = p.product_id
          ) c
          where p.merchant_id = :merchantId and p.product_id = any (:products)
          on conflict (merchant_id, product_id) do update set art_no = excluded.art_no,
            title = excluded.title, price = excluded.price, category = excluded.category,
            colors = excluded.colors, status = excluded.status, quantity = excluded.quantity,
            low_entries = excluded.low_entries, sold_out_entries = excluded.sold_out_entries,
            changed_at = coalesce(excluded.changed_at, product_summary.changed_at)
          """);

  private static final Sql TEXTS =
      Sql.of(
          """
          select p.product_id, array[p.art_no, d.title] || array(
            select color from stock_color c
            where c.merchant_id = p.merchant_id and c.product_id = p.product_id
            order by color_no
          ) || array(
            select barcode from stock_entry e
            where e.merchant_id = p.merchant_id and e.product_id = p.product_id
              and barcode is not null
            order by color_no, size
          ) as texts
          from product p join product_detail d using (merchant_id, product_id)
          where p.merchant_id = :merchantId and p.product_id = any (:products)
          """);

  private static final Sql SAVE_WORDS =
      Sql.of(
          """
          insert into product_words (merchant_id, product_id, words)
          select :merchantId, product_id, words
          from unnest(:products::int[], :words::text[]) w (product_id, words)
          on conflict (merchant_id, product_id) do update set words = excluded.words
          where product_words.words <> excluded.words
          """);

  private static final Sql MOVE_HEAD =
      Sql.of(
          """
          update product_summary_head set number = :number, rebuilt_to = :rebuiltTo::int,
            products = products + :products, low = low + :low, sold_out = sold_out + :soldOut,
            none_yet = none_yet + :noneYet
          where merchant_id = :merchantId
          """);

  private static final Sql REBUILD =
      Sql.of("update product_summary_head set rebuilt_to = 0 where merchant_id = :merchantId");

  private final Database database;

  public ProductSummaries(Database database) {
    this.database = database;
  }

  /**
   * Summarizes what changed, for a page that reads the summaries next.
   *
   * @return whether the summaries are up to date; false after a large change
   */
  public boolean refresh(int merchantId) throws SQLException {
    boolean current =
        database.read(
            connection -> IS_CURRENT.on(connection).set("merchantId", merchantId).exists());
    return current || refresh(merchantId, System.nanoTime() + PAGE_BUDGET.toNanos());
  }

  /** Summarizes what changed of all merchants; a later run does what takes longer. */
  public void refreshAll() throws SQLException {
    long deadline = System.nanoTime() + BACKGROUND_BUDGET.toNanos();
    List<Integer> behind =
        database.read(
            connection ->
                BEHIND
                    .on(connection)
                    .set("limit", MERCHANTS_AT_ONCE)
                    .list(row -> row.getInt("merchant_id")));
    for (int merchantId : behind) {
      if (!refresh(merchantId, deadline)) {
        return;
      }
    }
  }

  private boolean refresh(int merchantId, long deadline) throws SQLException {
    do {
      if (!database.write(connection -> step(connection, merchantId))) {
        return true;
      }
    } while (System.nanoTime() - deadline < 0);
    return false;
  }

  /** Summarizes all products of the merchant again, because what is low has changed. */
  static void rebuild(Connection connection, int merchantId) throws SQLException {
    CREATE_HEAD.on(connection).set("merchantId", merchantId).update();
    REBUILD.on(connection).set("merchantId", merchantId).update();
  }

  /** Summarizes these products, although nothing changed in the log. */
  static void summarize(Connection connection, int merchantId, List<Integer> products)
      throws SQLException {
    CREATE_HEAD.on(connection).set("merchantId", merchantId).update();
    Head head = lock(connection, merchantId);
    if (head != null) {
      summarize(connection, merchantId, new Step(products, head.number, head.rebuiltTo));
    }
  }

  /** Summarizes some products; false if there is nothing left to do. */
  private static boolean step(Connection connection, int merchantId) throws SQLException {
    CREATE_HEAD.on(connection).set("merchantId", merchantId).update();
    Head head = lock(connection, merchantId);
    Step step = head == null ? null : next(connection, merchantId, head);
    if (step == null) {
      return false;
    }
    summarize(connection, merchantId, step);
    return true;
  }

  /** Null if there is no such merchant. */
  private static @Nullable Head lock(Connection connection, int merchantId) throws SQLException {
    return LOCK_HEAD
        .on(connection)
        .set("merchantId", merchantId)
        .first(row -> new Head(row.getLong("number"), row.getObject("rebuilt_to", Integer.class)));
  }

  private static @Nullable Step next(Connection connection, int merchantId, Head head)
      throws SQLException {
    Integer after = head.rebuiltTo;
    if (after == null
        && LOG_HAS_GAP
            .on(connection)
            .set("merchantId", merchantId)
            .set("number", head.number)
            .exists()) {
      after = 0;
    }
    if (after != null) {
      return rebuild(connection, merchantId, head.number, after);
    }
    long[] last = {head.number};
    List<Integer> changed =
        CHANGED
            .on(connection)
            .set("merchantId", merchantId)
            .set("number", head.number)
            .set("limit", PRODUCTS_AT_ONCE)
            .list(
                row -> {
                  last[0] = row.getLong("number");
                  return row.getInt("product_id");
                });
    return changed.isEmpty()
        ? null
        : new Step(changed.stream().distinct().toList(), last[0], null);
  }

  private static final Sql LAST_CHANGE =
      Sql.of("select last_change from log_head where merchant_id = :merchantId");

  private static Step rebuild(Connection connection, int merchantId, long number, int after)
      throws SQLException {
    // changes during the rebuild are summarized after it
    long from =
        after > 0
            ? number
            : LAST_CHANGE.on(connection).set("merchantId", merchantId).one(row -> row.getLong(1));
    List<Integer> products =
        NEXT_PRODUCTS
            .on(connection)
            .set("merchantId", merchantId)
            .set("after", after)
            .set("limit", PRODUCTS_AT_ONCE)
            .list(row -> row.getInt("product_id"));
    boolean last = products.size() < PRODUCTS_AT_ONCE;
    return new Step(products, from, last ? null : products.getLast());
  }

  private static void summarize(Connection connection, int merchantId, Step step)
      throws SQLException {
    Integer[] products = step.products.toArray(Integer[]::new);
    Counts before = count(connection, merchantId, products);
    SUMMARIZE.on(connection).set("merchantId", merchantId).set("products", products).update();
    Counts after = count(connection, merchantId, products);
    saveWords(connection, merchantId, products);
    MOVE_HEAD
        .on(connection)
        .set("merchantId", merchantId)
        .set("number", step.number)
        .set("rebuiltTo", step.rebuiltTo)
        .set("products", after.products - before.products)
        .set("low", after.low - before.low)
        .set("soldOut", after.soldOut - before.soldOut)
        .set("noneYet", after.noneYet - before.noneYet)
        .update();
  }

  private static Counts count(Connection connection, int merchantId, Integer[] products)
      throws SQLException {
    return COUNT
        .on(connection)
        .set("merchantId", merchantId)
        .set("products", products)
        .one(
            row ->
                new Counts(
                    row.getInt("products"),
                    row.getInt("low"),
                    row.getInt("sold_out"),
                    row.getInt("none_yet")));
  }

  private record Words(int product, String words) {}

  private static void saveWords(Connection connection, int merchantId, Integer[] products)
      throws SQLException {
    List<Words> words =
        TEXTS
            .on(connection)
            .set("merchantId", merchantId)
            .set("products", products)
            .list(
                row ->
                    new Words(
                        row.getInt("product_id"), SearchText.of(Rows.texts(row, "texts"))));
    SAVE_WORDS
        .on(connection)
        .set("merchantId", merchantId)
        .set("products", words.stream().map(Words::product).toArray(Integer[]::new))
        .set("words", words.stream().map(Words::words).toArray(String[]::new))
        .update();
  }
}
