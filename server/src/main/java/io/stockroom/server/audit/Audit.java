package io.stockroom.server.audit;

import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and checks the trail. Each merchant has a chain of its own, and the server has chain 0: a
 * row's hash covers the row and the hash before it, so a row that is changed, inserted or taken out
 * later breaks the chain from there on.
 */
public final class Audit {
  /** The chain of changes that concern no single merchant. */
  public static final int SERVER = 0;

  private static final int PAGE = 50;

  /** What a row's hash covers beside the hash before it; the separator occurs in no field. */
  static final String TEXT =
      """
      convert_to(concat_ws(chr(31), merchant_id, number, (extract(epoch from at) * 1000000)::bigint,
        actor, action, subject, details, address), 'UTF8')
      """;

  public record Entry(
      int merchantId,
      long number,
      Instant at,
      String actor,
      String action,
      String subject,
      String details,
      String address,
      String hash) {}

  public record Page(int page, int totalPages, List<Entry> entries) {}

  /** Whether every chain is whole; where one is not, the first row that does not fit. */
  public record Verdict(
      long entries, int chains, String head, @Nullable Integer merchantId, @Nullable Long number) {
    public boolean intact() {
      return merchantId == null;
    }
  }

  private final Database database;

  public Audit(Database database) {
    this.database = database;
  }

  /**
   * Adds a row within the caller's transaction. Call it last: it holds the chain's head until the
   * transaction ends.
   */
  public void add(
      Connection connection,
      int merchantId,
      Actor actor,
      String action,
      String subject,
      String details)
      throws SQLException {
    try (PreparedStatement head =
            connection.prepareStatement(
                """
                insert into audit_head as h (merchant_id, number, hash) values (?, 1, ''::bytea)
                on conflict (merchant_id) do update set number = h.number + 1
                returning number, hash
                """);
        PreparedStatement row =
            connection.prepareStatement(
                """
                with fresh as (
                  select ?::int as merchant_id, ?::bigint as number, clock_timestamp() as at,
                    ?::text as actor, ?::text as action, ?::text as subject, ?::text as details,
                    ?::text as address
                ), added as (
                  insert into audit
                    (merchant_id, number, at, actor, action, subject, details, address, hash)
                  select fresh.*, sha256(?::bytea || %s) from fresh
                  returning hash
                )
                update audit_head set hash = added.hash from added where merchant_id = ?
                """
                    .formatted(TEXT))) {
      head.setInt(1, merchantId);
      try (ResultSet found = head.executeQuery()) {
        found.next();
        row.setInt(1, merchantId);
        row.setLong(2, found.getLong(1));
        row.setString(3, actor.name());
        row.setString(4, action);
        row.setString(5, subject);
        row.setString(6, details);
        row.setString(7, actor.address());
        row.setBytes(8, found.getBytes(2));
        row.setInt(9, merchantId);
        row.executeUpdate();
      }
    }
  }

  /** Adds a row about something that changes nothing in the database, in its own transaction. */
  public void note(int merchantId, Actor actor, String action, String subject, String details)
      throws SQLException {
    database.write(
        connection -> {
          add(connection, merchantId, actor, action, subject, details);
          return merchantId;
        });
  }

  /** A page of the trail, newest first; of one chain where {@code merchantId} is given. */
  public Page page(@Nullable Integer merchantId, int page) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select a.merchant_id, a.number, a.at, a.actor, a.action, a.subject, a.details,
                         a.address, a.hash, t.total
                  from (
                    select coalesce(sum(number), 0) as total from audit_head
                    where ?::int is null or merchant_id = ?
                  ) t
                  left join (
                    select * from audit
                    where ?::int is null or merchant_id = ?
                    order by at desc, merchant_id, number desc
                    limit ? offset ?
                  ) a on true
                  order by a.at desc, a.merchant_id, a.number desc
                  """)) {
            for (int i = 1; i <= 4; i++) {
              statement.setObject(i, merchantId);
            }
            statement.setInt(5, PAGE);
            statement.setLong(6, (page - 1L) * PAGE);
            return readPage(statement, page);
          }
        });
  }

  private static Page readPage(PreparedStatement statement, int page) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    long total = 0;
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        total = row.getLong("total");
        OffsetDateTime at = row.getObject("at", OffsetDateTime.class);
        if (at != null) {
          entries.add(
              new Entry(
                  row.getInt("merchant_id"),
                  row.getLong("number"),
                  at.toInstant(),
                  row.getString("actor"),
                  row.getString("action"),
                  row.getString("subject"),
                  row.getString("details"),
                  row.getString("address"),
                  HexFormat.of().formatHex(row.getBytes("hash"))));
        }
      }
    }
    return new Page(page, (int) ((total + PAGE - 1) / PAGE), entries);
  }

  /** Walks every chain from its beginning, and compares its end with the kept head. */
  public Verdict verify() throws SQLException {
    return database.write(
        connection -> {
          AuditChains.beginSnapshot(connection);
          return AuditChains.verify(connection, (_, _) -> {});
        });
  }
}
