package io.stockroom.core.audit;

import io.stockroom.core.audit.Audit.Verdict;
import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies every chain of the audit log from its beginning, in portions within one snapshot, and
 * compares its end with the stored head.
 */
final class AuditChains {
  private static final int MAX_ROWS_AT_ONCE = 20_000;

  /** Hears how many rows were checked, of how many. */
  interface Watcher {
    void at(long done, long total) throws SQLException;
  }

  /** Where a walk has come to: the last row that fits, and its hash. */
  private record Place(int merchantId, long number, byte[] hash) {}

  /** A row that does not fit. */
  private record Broken(int merchantId, long number) {}

  private final Connection connection;
  private final Watcher watcher;
  private Place place = new Place(-1, 0, new byte[0]);
  private @Nullable Broken broken;
  private long done;

  private AuditChains(Connection connection, Watcher watcher) {
    this.connection = connection;
    this.watcher = watcher;
  }

  /** Makes the caller's transaction, which has just begun, one that sees a single moment. */
  static void beginSnapshot(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set transaction isolation level repeatable read, read only");
      statement.execute("set local statement_timeout = 0");
    }
  }

  /** Within a transaction that {@link #beginSnapshot} has begun. */
  static Verdict verify(Connection connection, Watcher watcher) throws SQLException {
    return new AuditChains(connection, watcher).verify();
  }

  private record Size(long rows, int chains, String head) {}

  private static final Sql ARCHIVED =
      Sql.of(
          """
          select merchant_id, archived_number, encode(archived_hash, 'hex') as hash from log_head
          where archived_number > 0 and merchant_id <> all (%s) order by merchant_id
          """
              .formatted(AbsentMerchants.ARRAY));

  private static final Sql SIZE =
      Sql.of(
          """
          select coalesce(sum(number - archived_number), 0) as rows, count(*) as chains,
            encode(sha256(coalesce(string_agg(hash, ''::bytea order by merchant_id),
              ''::bytea)), 'hex') as head
          from log_head where merchant_id <> all (%s)
          """
              .formatted(AbsentMerchants.ARRAY));

  private Verdict verify() throws SQLException {
    Size size =
        SIZE.on(connection)
            .one(row -> new Size(row.getLong("rows"), row.getInt("chains"), row.getString("head")));
    watcher.at(0, size.rows);
    while (broken == null && walk()) {
      watcher.at(done, size.rows);
    }
    Broken ended = end();
    Broken first = broken;
    if (first == null
        || (ended != null
            && (ended.merchantId < first.merchantId
                || (ended.merchantId == first.merchantId && ended.number < first.number)))) {
      first = ended;
    }
    List<AuditArchive.End> archived =
        ARCHIVED
            .on(connection)
            .list(
                row ->
                    new AuditArchive.End(
                        row.getInt("merchant_id"),
                        row.getLong("archived_number"),
                        row.getString("hash")));
    return first == null
        ? new Verdict(done, size.chains, size.head, archived, null, null)
        : new Verdict(count(), size.chains, size.head, archived, first.merchantId, first.number);
  }

  private static final Sql COUNT =
      Sql.of(
          "select count(*) from audit where merchant_id <> all (%s)"
              .formatted(AbsentMerchants.ARRAY));

  private long count() throws SQLException {
    return COUNT.on(connection).one(row -> row.getLong(1));
  }

  private static final Sql WALK =
      Sql.of(
          """
          with piece as (
            select * from audit where (merchant_id, number) > (:merchantId, :number)
              and merchant_id <> all (%s)
            order by merchant_id, number limit :limit
          ), linked as (
            select piece.*,
              lag(hash, 1, case when merchant_id = :merchantId then :hash::bytea
                else coalesce(archived_hash, ''::bytea) end) over chain as before,
              lag(number, 1, case when merchant_id = :merchantId then :number::bigint
                else coalesce(archived_number, 0) end) over chain as number_before
            from piece
            left join (
              select merchant_id as chain_id, archived_number, archived_hash from log_head
            ) begin on begin.chain_id = merchant_id
            window chain as (partition by merchant_id order by number)
          ), judged as (
            select merchant_id, number, hash,
              number <> number_before + 1 or hash <> sha256(before || %s) as broken
            from linked
          )
          (select merchant_id, number, hash, true as broken, 0 as rows from judged
            where broken order by merchant_id, number limit 1)
          union all
          (select merchant_id, number, hash, false, (select count(*) from judged)::int
            from judged order by merchant_id desc, number desc limit 1)
          """
              .formatted(AbsentMerchants.ARRAY, Audit.TEXT));

  /** Checks the next portion; returns false if there was none. */
  private boolean walk() throws SQLException {
    long before = done;
    WALK.on(connection)
        .set("merchantId", place.merchantId)
        .set("number", place.number)
        .set("hash", place.hash)
        .set("limit", MAX_ROWS_AT_ONCE)
        .forEach(
            row -> {
              int merchantId = row.getInt("merchant_id");
              long number = row.getLong("number");
              if (row.getBoolean("broken")) {
                broken = new Broken(merchantId, number);
              } else {
                place = new Place(merchantId, number, row.getBytes("hash"));
                done += row.getInt("rows");
              }
            });
    return done > before;
  }

  private static final Sql WRONG_END =
      Sql.of(
          """
          select h.merchant_id, h.number from log_head h
          left join audit a using (merchant_id, number)
          where a.hash is distinct from h.hash and h.merchant_id <> all (%1$s)
          union all
          select a.merchant_id, a.number from audit a
          left join log_head h using (merchant_id)
          where (h.merchant_id is null or a.number > h.number)
            and a.merchant_id <> all (%1$s)
          order by 1, 2 limit 1
          """
              .formatted(AbsentMerchants.ARRAY));

  /** The first chain that does not end at its stored head: rows were removed or added there. */
  private @Nullable Broken end() throws SQLException {
    return WRONG_END
        .on(connection)
        .first(row -> new Broken(row.getInt("merchant_id"), row.getLong("number")));
  }
}
