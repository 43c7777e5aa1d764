package io.stockroom.core.merchants;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Searches the merchants page by page, and summarizes their activity. */
public final class MerchantDirectory {
  private static final int MAX_SUGGESTIONS = 20;

  /** A merchant number, alone or in front of a name, as suggestions are written. */
  private static final Pattern NUMBERED = Pattern.compile("\\s*([0-9]{1,9})(?:\\s*·.*)?\\s*");

  private static final String MATCHES =
      """
      (:text = '' or position(:text in lower(name)) > 0 or position(:text in lower(store_url)) > 0
        or position(:text in lower(store_name)) > 0 or merchant_id::text = :text)
      """;

  private static final Sql ONE = rows("merchant_id = :merchantId", "asc", "");
  private static final Sql FORWARDS = page(">", "asc");
  private static final Sql BACKWARDS = page("<", "desc");
  private static final Sql COUNT = Sql.of("select count(*) from merchant where " + MATCHES);

  private static final Sql BY_NUMBER =
      Sql.of("select merchant_id from merchant where merchant_id = :merchantId");

  private static final Sql BY_NAME =
      Sql.of(
          """
          select min(merchant_id) as merchant_id from merchant where lower(name) = :name
          having count(*) = 1
          """);

  private static final Sql NAMES =
      Sql.of(
          """
          select merchant_id, name from merchant where merchant_id = any (:merchantIds)
          order by lower(name), merchant_id
          """);

  private static final Sql COUNT_ENTRIES =
      Sql.of("select count(*) from stock_entry where merchant_id = :merchantId");

  private static final Sql OWN_LIMITS =
      Sql.of(
          """
          select m.merchant_id, m.name, l.key, l.value
          from merchant m cross join lateral jsonb_each_text(m.limits) l
          where m.limits <> '{}'
          order by lower(m.name), m.merchant_id, l.key limit :max
          """);

  /**
   * One merchant of a page.
   *
   * @param applications the number of applications with an active token
   * @param tokens the number of active tokens
   * @param overrides the number of limits that the operator set for this merchant
   * @param lastActive when a token or a person was last seen, or data last changed; null if never
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
      MerchantStatus status,
      @Nullable Instant lastActive) {
    private static Row read(ResultSet row) throws SQLException {
      return new Row(
          row.getInt("merchant_id"),
          row.getString("name"),
          row.getString("store_url"),
          0,
          0,
          row.getInt("applications"),
          row.getInt("tokens"),
          row.getInt("people"),
          row.getInt("overrides"),
          MerchantStatus.read(row),
          Sql.instantOrNull(row, "last_active"));
    }

    private Row with(MerchantSummary summary) {
      return new Row(
          merchantId,
          name,
          storeUrl,
          summary.products(),
          summary.withStock(),
          applications,
          tokens,
          people,
          overrides,
          status,
          later(lastActive, summary.changedAt()));
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      return one.isAfter(other) ? one : other;
    }
  }

  /**
   * A query for one page.
   *
   * @param text a part of the name or the store, or the number; empty for all merchants
   * @param after the page starts after this merchant; 0 for the first page
   * @param before the page ends before this merchant; 0 to use {@code after}
   */
  public record Wanted(String text, int after, int before, int size) {}

  /**
   * One page, ordered by name.
   *
   * @param after the key of the next page; null on the last page
   * @param before the key of the previous page; null on the first page
   */
  public record Page(
      List<Row> rows, int total, @Nullable Integer after, @Nullable Integer before) {}

  /** A limit that the operator set for one merchant. */
  public record OwnLimit(int merchantId, String merchantName, String limit, String value) {}

  private final Cells cells;

  public MerchantDirectory(Cells cells) {
    this.cells = cells;
  }

  public Page page(Wanted wanted) throws SQLException {
    Page page = cells.directory().read(connection -> page(connection, wanted));
    return new Page(summarized(page.rows), page.total, page.after, page.before);
  }

  private static Page page(Connection connection, Wanted wanted) throws SQLException {
    boolean backwards = wanted.before > 0;
    String text = wanted.text.toLowerCase(Locale.ROOT);
    List<Row> rows =
        (backwards ? BACKWARDS : FORWARDS)
            .on(connection)
            .set("text", text)
            .set("key", backwards ? wanted.before : wanted.after)
            .set("rows", wanted.size + 1)
            .list(Row::read);
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
        COUNT.on(connection).set("text", text).one(row -> row.getInt(1)),
        next ? rows.getLast().merchantId : null,
        previous ? rows.getFirst().merchantId : null);
  }

  /** The merchant with this number; null if it does not exist. */
  public @Nullable Row row(int merchantId) throws SQLException {
    List<Row> found =
        cells
            .directory()
            .read(connection -> ONE.on(connection).set("merchantId", merchantId).list(Row::read));
    return found.isEmpty() ? null : summarized(found).getFirst();
  }

  private List<Row> summarized(List<Row> rows) throws SQLException {
    Map<Integer, MerchantSummary> summaries =
        MerchantSummary.find(cells, rows.stream().map(Row::merchantId).toList());
    return rows.stream()
        .map(row -> row.with(summaries.getOrDefault(row.merchantId, MerchantSummary.NONE)))
        .toList();
  }

  private static Sql page(String comparison, String direction) {
    return rows(
        """
        %s and (:key = 0 or (lower(name), merchant_id) %s (
          select lower(name), merchant_id from merchant where merchant_id = :key))
        """
            .formatted(MATCHES, comparison),
        direction,
        "limit :rows");
  }

  /** Reads tokens and people only for the merchants on the page. */
  private static Sql rows(String condition, String direction, String limit) {
    return Sql.of(
        """
        with found as (
          select m.*, lower(name) as sort_name,
            (select count(*) from jsonb_object_keys(limits)) as overrides
          from merchant m where %1$s
          order by sort_name %2$s, merchant_id %2$s %3$s
        )
        select m.merchant_id, m.name, m.store_url, m.overrides, %4$s, t.applications, t.tokens,
          p.people,
          greatest(t.used_at, p.seen_at) as last_active
        from found m
        cross join lateral (
          select count(distinct application_id) filter (where active) as applications,
            count(*) filter (where active) as tokens, max(last_used_at) as used_at
          from (
            select application_id, last_used_at, revoked_at is null
              and (expires_at is null or expires_at > now()) as active
            from access_token where merchant_id = m.merchant_id
          ) each
        ) t
        cross join lateral (
          select count(*) as people, max((
            select max(last_used_at) from session s where s.person_id = q.person_id)) as seen_at
          from person q where q.merchant_id = m.merchant_id
        ) p
        order by m.sort_name %2$s, m.merchant_id %2$s
        """
            .formatted(condition, direction, limit, MerchantStatus.COLUMNS));
  }

  /** Suggests merchants that match the typed text, as {@code 12 · Name}. */
  public List<String> suggestions(String typed) throws SQLException {
    Matcher numbered = NUMBERED.matcher(typed);
    String text = numbered.matches() ? numbered.group(1) : typed.strip();
    return page(new Wanted(text, 0, 0, MAX_SUGGESTIONS)).rows().stream()
        .map(row -> suggestion(row.merchantId, row.name))
        .toList();
  }

  public static String suggestion(int merchantId, String name) {
    return merchantId + " · " + name;
  }

  /** Finds a merchant by suggestion, number or full name; null if none matches. */
  public @Nullable Integer find(String typed) throws SQLException {
    if (typed.isBlank()) {
      return null;
    }
    Matcher numbered = NUMBERED.matcher(typed);
    return cells
        .directory()
        .<@Nullable Integer>read(
            connection -> {
              Sql.Call call =
                  numbered.matches()
                      ? BY_NUMBER
                          .on(connection)
                          .set("merchantId", Integer.valueOf(numbered.group(1)))
                      : BY_NAME.on(connection).set("name", typed.strip().toLowerCase(Locale.ROOT));
              return call.<Integer>first(row -> row.getInt("merchant_id"));
            });
  }

  /** The names of some merchants, in alphabetical order. */
  public Map<Integer, String> names(Collection<Integer> merchantIds) throws SQLException {
    return cells
        .directory()
        .read(
            connection -> {
              Map<Integer, String> names = new LinkedHashMap<>();
              NAMES
                  .on(connection)
                  .set("merchantIds", merchantIds.toArray(Integer[]::new))
                  .forEach(row -> names.put(row.getInt("merchant_id"), row.getString("name")));
              return names;
            });
  }

  /** Counts the stock entries of a merchant; slow for a large one. */
  public long entries(int merchantId) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                COUNT_ENTRIES
                    .on(connection)
                    .set("merchantId", merchantId)
                    .one(row -> row.getLong(1)));
  }

  /** The limits set for single merchants, ordered by merchant name. */
  public List<OwnLimit> ownLimits(int most) throws SQLException {
    return cells
        .directory()
        .read(
            connection ->
                OWN_LIMITS
                    .on(connection)
                    .set("max", most)
                    .list(
                        row ->
                            new OwnLimit(
                                row.getInt("merchant_id"),
                                row.getString("name"),
                                row.getString("key"),
                                row.getString("value"))));
  }
}
