package io.stockroom.server.audit;

import io.stockroom.server.audit.Audit.Entry;
import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The trail as people look through it, newest first. A search for something rare looks through so
 * many rows at a time and says where it goes on, so that it never takes long.
 */
public final class AuditSearch {
  private static final int PAGE = 50;
  private static final int LOOKED_THROUGH = 20_000;

  /** A row of the trail, by which a page goes on. */
  public record Key(int merchantId, long number) {}

  /**
   * What is asked for.
   *
   * @param merchantId one chain; null: all
   * @param actor a part of who did it; empty: anybody
   * @param action what was done; empty: anything
   * @param from not before; null: from the beginning
   * @param until before; null: to the end
   * @param after the row after which the page begins; null: the newest
   */
  public record Wanted(
      @Nullable Integer merchantId,
      String actor,
      String action,
      @Nullable Instant from,
      @Nullable Instant until,
      @Nullable Key after) {}

  /**
   * A page.
   *
   * @param next where the next one begins; null: this is the last
   * @param lookedThrough the moment back to which it has looked, where it found less than a page;
   *     else null
   */
  public record Found(List<Entry> entries, @Nullable Key next, @Nullable Instant lookedThrough) {}

  private final Database database;

  public AuditSearch(Database database) {
    this.database = database;
  }

  public Found find(Wanted wanted) throws SQLException {
    Key after = wanted.after;
    boolean chain = wanted.merchantId != null;
    // one chain is in the order of its numbers; all of them together in the order of time
    String order = chain ? "number desc" : "at desc, merchant_id desc, number desc";
    boolean everything = wanted.actor.isEmpty() && wanted.action.isEmpty();
    int through = everything ? PAGE + 1 : LOOKED_THROUGH;
    String later =
        chain
            ? "number < ?"
            : """
              (at, merchant_id, number) < (
                select at, merchant_id, number from audit where merchant_id = ? and number = ?)
              """;
    String sql =
        """
        with looked as (
          select merchant_id, number, at, actor, action, subject, details, address, hash
          from audit
          where true %s %s %s %s
          order by %s limit %d
        ), found as (
          select * from looked
          where (? = '' or position(? in lower(actor)) > 0) and (? = '' or action = ?)
          order by %s limit %d
        )
        select 'found' as kind, found.* from found
        union all
        select 'end', oldest.* from (
          select * from looked order by %s offset %d - 1 limit 1
        ) oldest
        """
            .formatted(
                chain ? "and merchant_id = ?" : "",
                wanted.from == null ? "" : "and at >= ?",
                wanted.until == null ? "" : "and at < ?",
                after == null ? "" : "and " + later,
                order,
                through,
                order,
                PAGE + 1,
                order,
                through);
    List<@Nullable Object> values = new ArrayList<>();
    if (chain) {
      values.add(wanted.merchantId);
    }
    if (wanted.from != null) {
      values.add(wanted.from.atOffset(ZoneOffset.UTC));
    }
    if (wanted.until != null) {
      values.add(wanted.until.atOffset(ZoneOffset.UTC));
    }
    if (after != null) {
      if (!chain) {
        values.add(after.merchantId);
      }
      values.add(after.number);
    }
    String actor = wanted.actor.toLowerCase(Locale.ROOT);
    values.addAll(List.of(actor, actor, wanted.action, wanted.action));
    return database.read(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
              statement.setObject(i + 1, values.get(i));
            }
            return read(statement);
          }
        });
  }

  private static Found read(PreparedStatement statement) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    Entry end = null;
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        if (row.getString("kind").equals("found")) {
          entries.add(entry(row));
        } else {
          end = entry(row);
        }
      }
    }
    if (entries.size() > PAGE) {
      entries.removeLast();
      return new Found(entries, key(entries.getLast()), null);
    }
    return end == null ? new Found(entries, null, null) : new Found(entries, key(end), end.at());
  }

  private static Key key(Entry entry) {
    return new Key(entry.merchantId(), entry.number());
  }

  static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getInt("merchant_id"),
        row.getLong("number"),
        row.getObject("at", OffsetDateTime.class).toInstant(),
        row.getString("actor"),
        row.getString("action"),
        row.getString("subject"),
        row.getString("details"),
        row.getString("address"),
        HexFormat.of().formatHex(row.getBytes("hash")));
  }
}
