package io.stockroom.lab.faults;

import io.stockroom.lab.DirectSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares the responses to the clients with the contents of the database. An acknowledged request
 * must be there completely, a rejected one not at all, an unknown one completely or not at all.
 */
final class Oracle {
  /** The rows found of one request. */
  record Found(int rows, String content) {}

  private record Subject(Kind kind, String key) {}

  /** What the database had of each request of a merchant at one moment. */
  record Snapshot(Map<Subject, Found> found) {
    Found of(Intent intent) {
      return found.getOrDefault(new Subject(intent.kind(), intent.key()), new Found(0, ""));
    }
  }

  private static final Map<Kind, String> ROWS =
      Map.of(
          // a color without entries counts as zero entries
          Kind.CREATE,
          """
          select c.color, count(e.size) filter (where 'hue-' || e.quantity || '.' = c.color),
            count(*) - count(e.size) filter (where 'hue-' || e.quantity || '.' = c.color),
            md5(string_agg(e.guid::text, ',' order by e.product_id, e.size))
          from stock_color c left join stock_entry e using (merchant_id, product_id, color_no)
          where c.merchant_id = $1 group by c.color
          """,
          // adjusted twice is as wrong as not at all
          Kind.ADJUST,
          """
          select c.color || '/' || e.product_id || '/' || e.size_text, (e.quantity = 1)::int,
            (e.quantity <> 1)::int, ''
          from stock_entry e join stock_color c using (merchant_id, product_id, color_no)
          where e.merchant_id = $1 and e.quantity > 0 and c.color like 'tone-%'
          """,
          Kind.DETAIL,
          """
          select coalesce(f.product_id, s.product_id)::text,
            (f.product_id is not null and s.product_id is not null)::int,
            (f.product_id is null or s.product_id is null)::int,
            ''
          from (select product_id from detail_fetch where merchant_id = $1) f
          full join (select product_id from store_product where merchant_id = $1) s
            on f.product_id = s.product_id
          """,
          Kind.IMPORT,
          """
          select split_part(p.art_no, '-', 1), count(d.product_id),
            count(*) - count(d.product_id),
            md5(string_agg(p.product_id::text, ',' order by p.product_id))
          from product p left join product_detail d using (merchant_id, product_id)
          where p.merchant_id = $1 and p.art_no like 'I%' group by 1
          """);

  /** Invariants of a merchant; each row found is a violation. */
  private static final String FAULTS =
      """
      select 'block ' || block || ' of level ' || level || ' has wrong counts' from (
        select level::int, block, products, with_stock from product_block where merchant_id = $1
        except
        select level, number / span, count(*), count(*) filter (where product_id in (
          select product_id from stock_entry where merchant_id = $1))
        from product p cross join (values (0, 256), (1, 16384)) as levels (level, span)
        where merchant_id = $1 group by 1, 2
      ) b
      union all
      select 'the merchant counts ' || m.products || ' products' from merchant_data m
      where merchant_id = $1
        and m.products <> (select count(*) from product where merchant_id = $1)
      union all
      select 'the day counts ' || a.used || ' details, but there are ' || f.fetched
      from detail_usage a, (select count(*) as fetched from detail_fetch where merchant_id = $1) f
      where a.merchant_id = $1 and a.used <> f.fetched and not exists (
        select 1 from detail_fetch where merchant_id = $1 and first_at < a.day)
      union all
      select 'the store counts ' || s.products || ' products' from store_usage s
      where merchant_id = $1
        and s.products <> (select count(*) from store_product where merchant_id = $1)
      union all
      select a.written || ' creates in the audit log, but there are ' || c.colors
      from (select count(*) as written from audit
            where merchant_id = $1 and action = 'stock.create') a,
           (select count(distinct color) as colors from stock_color where merchant_id = $1) c
      where a.written <> c.colors
      union all
      select 'the change log has ' || count(l.number) || ' changes up to ' || max(l.number)
        || ', but its head says ' || h.last_change
      from log_head h left join change_log l using (merchant_id)
      where h.merchant_id = $1 group by h.last_change
      having count(l.number) <> h.last_change or coalesce(max(l.number), 0) <> h.last_change
      union all
      select 'the change log ends with ' || coalesce(l.after::text, '-') || ' for product '
        || product_id || ', color ' || color_no || ', size ' || size || ', but there are '
        || coalesce(e.quantity::text, '-')
      from (
        select distinct on (product_id, color_no, size) product_id, color_no, size, after
        from change_log c cross join unnest(c.colors, c.sizes, c.quantities_after)
          as entry (color_no, size, after)
        where c.merchant_id = $1 and c.kind = 'stock'
        order by product_id, color_no, size, number desc) l
      full join (
        select product_id, color_no, size, quantity from stock_entry where merchant_id = $1) e
        using (product_id, color_no, size)
      where l.after is distinct from e.quantity
      """;

  private Oracle() {}

  /** Reads all rows of a merchant in one snapshot, and judges every request of its journal. */
  static Snapshot look(DirectSql database, Merchant merchant, Report report) {
    Map<Subject, Found> found = new HashMap<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      for (Map.Entry<Kind, String> query : ROWS.entrySet()) {
        try (ResultSet rows = statement.executeQuery(of(merchant, query.getValue()))) {
          while (rows.next()) {
            // contradictory rows can never make a request complete
            int whole = rows.getInt(3) == 0 ? rows.getInt(2) : -1;
            found.put(
                new Subject(query.getKey(), rows.getString(1)),
                new Found(whole, String.valueOf(rows.getString(4))));
          }
        }
      }
      try (ResultSet rows = statement.executeQuery(of(merchant, FAULTS))) {
        while (rows.next()) {
          report.fault("merchant %d: %s".formatted(merchant.id(), rows.getString(1)));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the oracle cannot look", e);
    }
    Snapshot snapshot = new Snapshot(found);
    judge(merchant, snapshot, report);
    return snapshot;
  }

  private static String of(Merchant merchant, String sql) {
    return sql.replace("$1", Integer.toString(merchant.id()));
  }

  private static void judge(Merchant merchant, Snapshot snapshot, Report report) {
    for (Journal.Entry entry : Journal.read(merchant.journalFile()).values()) {
      Intent intent = entry.intent();
      int rows = snapshot.of(intent).rows();
      String what =
          "%s %s of merchant %d, %s: %d of %d rows"
              .formatted(
                  intent.kind(), intent.key(), merchant.id(), entry.outcome(), rows, intent.rows());
      if (rows != 0 && rows != intent.rows()) {
        report.add(Report.Finding.PARTIAL, what);
      }
      switch (entry.outcome()) {
        case ACKNOWLEDGED -> {
          if (rows != intent.rows()) {
            report.lost(what);
          }
        }
        case REFUSED -> {
          if (rows != 0) {
            report.fault("rejected but present: " + what);
          }
        }
        case UNKNOWN -> {}
      }
      if (entry.worstStatus() >= 500 && entry.worstStatus() != 503) {
        report.fault("answered %d: %s".formatted(entry.worstStatus(), what));
      }
    }
  }

  /** Reports requests that changed between two snapshots without cause. */
  static void compare(Merchant merchant, Snapshot before, Snapshot after, Report report) {
    before.found.forEach(
        (subject, found) -> {
          if (!found.equals(after.found.get(subject))) {
            report.fault(
                "%s %s of merchant %d was changed by a resend: %s, then %s"
                    .formatted(
                        subject.kind(),
                        subject.key(),
                        merchant.id(),
                        found,
                        after.found.get(subject)));
          }
        });
  }
}
