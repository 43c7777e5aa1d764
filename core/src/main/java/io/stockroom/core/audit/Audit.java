package io.stockroom.core.audit;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes and verifies the audit log. Each merchant has a hash chain of its own, and the server has
 * chain 0: a row's hash covers the row and the hash before it, so a row that is changed, inserted
 * or removed later breaks the chain from there on.
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

  private record Head(long number, byte[] hash) {}

  private static final Sql NEXT_NUMBER =
      Sql.of(
          """
          insert into audit_head as h (merchant_id, number, hash) values (:merchantId, 1, ''::bytea)
          on conflict (merchant_id) do update set number = h.number + 1
          returning number, hash
          """);

  private static final Sql ADD =
      Sql.of(
          """
          with fresh as (
            select :merchantId::int as merchant_id, :number::bigint as number,
              clock_timestamp() as at, :actor::text as actor, :action::text as action,
              :subject::text as subject, :details::text as details, :address::text as address
          ), added as (
            insert into audit
              (merchant_id, number, at, actor, action, subject, details, address, hash)
            select fresh.*, sha256(:hashBefore::bytea || %s) from fresh
            returning hash
          )
          update audit_head set hash = added.hash from added where merchant_id = :merchantId
          """
              .formatted(TEXT));

  private static final Sql PAGE_OF_ENTRIES =
      Sql.of(
          """
          select a.merchant_id, a.number, a.at, a.actor, a.action, a.subject, a.details,
                 a.address, a.hash, t.total
          from (
            select coalesce(sum(number), 0) as total from audit_head
            where :merchantId::int is null or merchant_id = :merchantId
          ) t
          left join (
            select * from audit
            where :merchantId::int is null or merchant_id = :merchantId
            order by at desc, merchant_id, number desc
            limit :limit offset :offset
          ) a on true
          order by a.at desc, a.merchant_id, a.number desc
          """);

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
    Head head =
        NEXT_NUMBER
            .on(connection)
            .set("merchantId", merchantId)
            .one(row -> new Head(row.getLong("number"), row.getBytes("hash")));
    ADD.on(connection)
        .set("merchantId", merchantId)
        .set("number", head.number)
        .set("actor", actor.name())
        .set("action", action)
        .set("subject", subject)
        .set("details", details)
        .set("address", actor.address())
        .set("hashBefore", head.hash)
        .update();
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

  /** A page of the audit log, newest first; of one chain if {@code merchantId} is given. */
  public Page page(@Nullable Integer merchantId, int page) throws SQLException {
    return database.read(
        connection -> {
          List<Entry> entries = new ArrayList<>();
          AtomicLong total = new AtomicLong();
          PAGE_OF_ENTRIES
              .on(connection)
              .set("merchantId", merchantId)
              .set("limit", PAGE)
              .set("offset", (page - 1L) * PAGE)
              .forEach(
                  row -> {
                    total.set(row.getLong("total"));
                    if (row.getObject("number") != null) {
                      entries.add(AuditSearch.entry(row));
                    }
                  });
          return new Page(page, (int) Math.ceilDiv(total.get(), (long) PAGE), entries);
        });
  }

  /** Walks every chain from its beginning, and compares its end with the stored head. */
  public Verdict verify() throws SQLException {
    return database.write(
        connection -> {
          AuditChains.beginSnapshot(connection);
          return AuditChains.verify(connection, (_, _) -> {});
        });
  }
}
