package io.stockroom.server.audit;

import io.stockroom.server.audit.Audit.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Walks every chain from its beginning, piece by piece in one snapshot, and compares its end with
 * the kept head.
 */
final class AuditChains {
  private static final int PIECE = 20_000;

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

  private Verdict verify() throws SQLException {
    long total;
    int chains;
    String head;
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select coalesce(sum(number), 0), count(*),
                  encode(sha256(coalesce(string_agg(hash, ''::bytea order by merchant_id),
                    ''::bytea)), 'hex')
                from audit_head
                """)) {
      row.next();
      total = row.getLong(1);
      chains = row.getInt(2);
      head = row.getString(3);
    }
    watcher.at(0, total);
    while (broken == null && walk()) {
      watcher.at(done, total);
    }
    Broken ended = end();
    Broken first = broken;
    if (first == null
        || (ended != null
            && (ended.merchantId < first.merchantId
                || (ended.merchantId == first.merchantId && ended.number < first.number)))) {
      first = ended;
    }
    return first == null
        ? new Verdict(done, chains, head, null, null)
        : new Verdict(count(), chains, head, first.merchantId, first.number);
  }

  private long count() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from audit")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The next piece; false where there was none. */
  private boolean walk() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            with piece as (
              select * from audit where (merchant_id, number) > (?, ?)
              order by merchant_id, number limit %d
            ), linked as (
              select *, lag(hash, 1, case when merchant_id = ? then ?::bytea else ''::bytea end)
                  over chain as before,
                lag(number, 1, case when merchant_id = ? then ?::bigint else 0 end)
                  over chain as number_before
              from piece window chain as (partition by merchant_id order by number)
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
                .formatted(PIECE, Audit.TEXT))) {
      statement.setInt(1, place.merchantId);
      statement.setLong(2, place.number);
      statement.setInt(3, place.merchantId);
      statement.setBytes(4, place.hash);
      statement.setInt(5, place.merchantId);
      statement.setLong(6, place.number);
      boolean any = false;
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (row.getBoolean("broken")) {
            broken = new Broken(row.getInt(1), row.getLong(2));
          } else {
            any = true;
            place = new Place(row.getInt(1), row.getLong(2), row.getBytes(3));
            done += row.getInt("rows");
          }
        }
      }
      return any;
    }
  }

  /** The first chain whose end is not the kept head: rows at its end were taken out or added. */
  private @Nullable Broken end() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select h.merchant_id, h.number from audit_head h
                left join audit a using (merchant_id, number)
                where a.hash is distinct from h.hash
                union all
                select a.merchant_id, a.number from audit a
                left join audit_head h using (merchant_id)
                where h.merchant_id is null or a.number > h.number
                order by 1, 2 limit 1
                """)) {
      return row.next() ? new Broken(row.getInt(1), row.getLong(2)) : null;
    }
  }
}
