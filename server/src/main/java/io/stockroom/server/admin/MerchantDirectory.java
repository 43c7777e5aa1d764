package io.stockroom.server.admin;

import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Merchants as people look for them: by a part of the name, by pages, with what goes on there. */
public final class MerchantDirectory {
  private static final int MOST_SUGGESTED = 20;

  /** A number alone, or before a name as in a suggestion. */
  private static final Pattern NUMBERED = Pattern.compile("\\s*([0-9]{1,9})(?:\\s*·.*)?\\s*");

  /**
   * One merchant of a page.
   *
   * @param applications those with a token that works
   * @param tokens those that work
   * @param overrides how many limits were set for this merchant
   * @param lastActive when a token or a person was last seen, or something was changed; null: never
   */
  public record Row(
      int merchantId,
      String name,
      String storeUrl,
      int products,
      int withStock,
      int applications,
      int tokens,
      int people,
      int overrides,
      @Nullable Instant lastActive) {}

  /**
   * What is asked for.
   *
   * @param text a part of the name or the store, or the number; empty: all
   * @param after the merchant after which the page begins; 0: at the beginning
   * @param before the merchant before which the page ends; 0: it begins somewhere
   */
  public record Wanted(String text, int after, int before, int size) {}

  /**
   * A page in the order of the names.
   *
   * @param after where the next page begins; null: there is none
   * @param before where the page before ends; null: there is none
   */
  public record Page(
      List<Row> rows, int total, @Nullable Integer after, @Nullable Integer before) {}

  /** One limit that was set for one merchant. */
  public record OwnLimit(int merchantId, String merchantName, String limit, String value) {}

  private final Database database;

  public MerchantDirectory(Database database) {
    this.database = database;
  }

  public Page page(Wanted wanted) throws SQLException {
    return database.read(
        connection -> {
          boolean backwards = wanted.before > 0;
          List<Row> rows = rows(connection, wanted, backwards);
          boolean more = rows.size() > wanted.size;
          if (more) {
            rows.removeLast();
          }
          if (backwards) {
            Collections.reverse(rows);
          }
          boolean next = (backwards || more) && !rows.isEmpty();
          boolean previous = (backwards ? more : wanted.after > 0) && !rows.isEmpty();
          return new Page(
              rows,
              total(connection, wanted.text),
              next ? rows.getLast().merchantId : null,
              previous ? rows.getFirst().merchantId : null);
        });
  }

  /** One merchant, or null where there is none of that number. */
  public @Nullable Row row(int merchantId) throws SQLException {
    Wanted wanted = new Wanted("", 0, 0, 0);
    return database.read(
        connection -> {
          List<Row> found = rows(connection, "merchant_id = " + merchantId, wanted, false);
          return found.isEmpty() ? null : found.getFirst();
        });
  }

  private static List<Row> rows(Connection connection, Wanted wanted, boolean backwards)
      throws SQLException {
    return rows(connection, matching(wanted.text), wanted, backwards);
  }

  private static List<Row> rows(
      Connection connection, String matching, Wanted wanted, boolean backwards)
      throws SQLException {
    // what is shown of each is looked up for those of the page alone
    String sql =
        """
        with found as (
          select merchant_id, name, store_url, products, limits, lower(name) as ordered
          from merchant
          where %s and (? = 0 or (lower(name), merchant_id) %s (
            select lower(name), merchant_id from merchant where merchant_id = ?))
          order by ordered %s, merchant_id %s limit ?
        )
        select f.merchant_id, f.name, f.store_url, f.products,
          (select coalesce(sum(with_stock), 0) from product_block b
            where b.merchant_id = f.merchant_id and b.level = 1) as with_stock,
          t.applications, t.tokens, p.people,
          (select count(*) from jsonb_object_keys(f.limits)) as overrides,
          greatest(t.used_at, p.seen_at, (
            select a.at from audit_head h join audit a using (merchant_id, number)
            where h.merchant_id = f.merchant_id)) as last_active
        from found f
        cross join lateral (
          select count(distinct application_id) filter (where lives) as applications,
            count(*) filter (where lives) as tokens, max(last_used_at) as used_at
          from (
            select application_id, last_used_at, revoked_at is null
              and (expires_at is null or expires_at > now()) as lives
            from access_token where merchant_id = f.merchant_id
          ) each
        ) t
        cross join lateral (
          select count(*) as people, max((
            select max(last_used_at) from session s where s.person_id = q.person_id)) as seen_at
          from person q where q.merchant_id = f.merchant_id
        ) p
        order by f.ordered %s, f.merchant_id %s
        """
            .formatted(
                matching,
                backwards ? "<" : ">",
                way(backwards),
                way(backwards),
                way(backwards),
                way(backwards));
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int next = bind(statement, 1, wanted.text);
      int key = backwards ? wanted.before : wanted.after;
      statement.setInt(next++, key);
      statement.setInt(next++, key);
      statement.setInt(next, wanted.size + 1);
      List<Row> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          OffsetDateTime active = row.getObject("last_active", OffsetDateTime.class);
          rows.add(
              new Row(
                  row.getInt("merchant_id"),
                  row.getString("name"),
                  row.getString("store_url"),
                  row.getInt("products"),
                  row.getInt("with_stock"),
                  row.getInt("applications"),
                  row.getInt("tokens"),
                  row.getInt("people"),
                  row.getInt("overrides"),
                  active == null ? null : active.toInstant()));
        }
      }
      return rows;
    }
  }

  private static String way(boolean backwards) {
    return backwards ? "desc" : "asc";
  }

  private static int total(Connection connection, String text) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select count(*) from merchant where " + matching(text))) {
      bind(statement, 1, text);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static String matching(String text) {
    return text.isEmpty()
        ? "true"
        : """
          (position(? in lower(name)) > 0 or position(? in lower(store_url)) > 0
            or position(? in lower(store_name)) > 0 or merchant_id::text = ?)
          """;
  }

  private static int bind(PreparedStatement statement, int first, String text) throws SQLException {
    int next = first;
    for (int i = 0; i < 4 && !text.isEmpty(); i++) {
      statement.setString(next++, text.toLowerCase(Locale.ROOT));
    }
    return next;
  }

  /** Numbers and names that fit what somebody types, as {@code 12 · Name}. */
  public List<String> suggestions(String typed) throws SQLException {
    Matcher numbered = NUMBERED.matcher(typed);
    String text = numbered.matches() ? numbered.group(1) : typed.strip();
    return page(new Wanted(text, 0, 0, MOST_SUGGESTED)).rows().stream()
        .map(row -> suggestion(row.merchantId, row.name))
        .toList();
  }

  public static String suggestion(int merchantId, String name) {
    return merchantId + " · " + name;
  }

  /** The number of the merchant that a suggestion, a number or a whole name stands for, or null. */
  public @Nullable Integer find(String typed) throws SQLException {
    if (typed.isBlank()) {
      return null;
    }
    Matcher numbered = NUMBERED.matcher(typed);
    boolean byNumber = numbered.matches();
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  byNumber
                      ? "select merchant_id from merchant where merchant_id = ?::int"
                      : "select min(merchant_id) from merchant where lower(name) = ? having count(*) = 1")) {
            statement.setString(
                1, byNumber ? numbered.group(1) : typed.strip().toLowerCase(Locale.ROOT));
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Integer.valueOf(row.getInt(1)) : null;
            }
          }
        });
  }

  /** The names of some merchants. */
  public Map<Integer, String> names(Collection<Integer> merchantIds) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select merchant_id, name from merchant where merchant_id = any (?)")) {
            statement.setObject(1, merchantIds.toArray(Integer[]::new));
            Map<Integer, String> names = new HashMap<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                names.put(row.getInt(1), row.getString(2));
              }
            }
            return names;
          }
        });
  }

  /**
   * How many stock entries a merchant has; counted, so that it takes its time where there are many.
   */
  public long entries(int merchantId) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select count(*) from stock_entry where merchant_id = ?")) {
            statement.setInt(1, merchantId);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              return row.getLong(1);
            }
          }
        });
  }

  /** Every limit that was set for a merchant, by the names of the merchants. */
  public List<OwnLimit> ownLimits(int most) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select m.merchant_id, m.name, l.key, l.value
                  from merchant m cross join lateral jsonb_each_text(m.limits) l
                  where m.limits <> '{}'
                  order by lower(m.name), m.merchant_id, l.key limit ?
                  """)) {
            statement.setInt(1, most);
            List<OwnLimit> overrides = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                overrides.add(
                    new OwnLimit(
                        row.getInt(1), row.getString(2), row.getString(3), row.getString(4)));
              }
            }
            return overrides;
          }
        });
  }
}
