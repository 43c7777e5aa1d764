package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes the summaries and the words of some products, as the products are now. */
final class SummaryWriter {
  /** How many products have which status; or how many more than before. */
  record Counts(int products, int low, int soldOut, int noneYet) {
    private Counts minus(Counts other) {
      return new Counts(
          products - other.products,
          low - other.low,
          soldOut - other.soldOut,
          noneYet - other.noneYet);
    }
  }

  private SummaryWriter() {}

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
            colors, status, quantity, low_entries, sold_out_entries, changed_at, low_since)
          select p.merchant_id, p.product_id, lower(p.art_no), lower(d.title), d.price,
            d.category_name_tree, coalesce(c.colors, ''),
            case when s.entries = 0 then 'none-yet' when s.quantity = 0 then 'sold-out'
              when s.low + s.sold_out > 0 then 'low' else 'in-stock' end,
            s.quantity, s.low, s.sold_out, (
              select l.at from change_log l
              where l.merchant_id = p.merchant_id and l.product_id = p.product_id
              order by l.number desc limit 1
            ), case when s.entries > 0 and s.low + s.sold_out > 0 then clock_timestamp() end
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
            where k.merchant_id = p.merchant_id and k.product_id = p.product_id and exists (
              select 1 from stock_entry e where e.merchant_id = k.merchant_id
                and e.product_id = k.product_id and e.color_no = k.color_no)
          ) c
          where p.merchant_id = :merchantId and p.product_id = any (:products)
          on conflict (merchant_id, product_id) do update set art_no = excluded.art_no,
            title = excluded.title, price = excluded.price, category = excluded.category,
            colors = excluded.colors, status = excluded.status, quantity = excluded.quantity,
            low_entries = excluded.low_entries, sold_out_entries = excluded.sold_out_entries,
            changed_at = coalesce(excluded.changed_at, product_summary.changed_at),
            low_since = case when excluded.low_since is null then null
              when product_summary.status in (excluded.status, 'sold-out')
              then coalesce(product_summary.low_since, excluded.low_since)
              else excluded.low_since end
          """);

  /** Of products that are gone. */
  private static Sql delete(String table) {
    return Sql.of(
        """
        delete from %s s where s.merchant_id = :merchantId and s.product_id = any (:products)
          and not exists (select 1 from product p
            where p.merchant_id = s.merchant_id and p.product_id = s.product_id)
        """
            .formatted(table));
  }

  private static final Sql DELETE_SUMMARIES = delete("product_summary");
  private static final Sql DELETE_WORDS = delete("product_words");

  private static final Sql TEXTS =
      Sql.of(
          """
          select p.product_id, array[p.art_no, d.title] || array(
            select color from stock_color c
            where c.merchant_id = p.merchant_id and c.product_id = p.product_id and exists (
              select 1 from stock_entry e where e.merchant_id = c.merchant_id
                and e.product_id = c.product_id and e.color_no = c.color_no)
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

  /** Summarizes the products; the caller holds the merchant's head. */
  static Counts write(Connection connection, int merchantId, Integer[] products)
      throws SQLException {
    Counts before = count(connection, merchantId, products);
    for (Sql statement : List.of(SUMMARIZE, DELETE_SUMMARIES, DELETE_WORDS)) {
      statement.on(connection).set("merchantId", merchantId).set("products", products).update();
    }
    saveWords(connection, merchantId, products);
    return count(connection, merchantId, products).minus(before);
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
                row -> new Words(row.getInt("product_id"), SearchText.of(Sql.texts(row, "texts"))));
    SAVE_WORDS
        .on(connection)
        .set("merchantId", merchantId)
        .set("products", words.stream().map(Words::product).toArray(Integer[]::new))
        .set("words", words.stream().map(Words::words).toArray(String[]::new))
        .update();
  }
}
