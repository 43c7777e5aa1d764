package io.stockroom.core.moves;

import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.SqlFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pause of a merchant's writes: waits for running transactions, and for the end of the
 * replication. It expires unless {@link #keep} makes it permanent.
 */
final class Pause {
  /** Longer than a pause may take, and shorter than a lease. */
  private static final String ENDS_AFTER = "interval '8 seconds'";

  private static final Duration MAX = Duration.ofSeconds(5);
  private static final Duration MAX_STATEMENT = Duration.ofMinutes(1);
  private static final int POLL_MILLIS = 5;

  private static final Sql BEGIN =
      Sql.of(
          """
          insert into absent_merchant (merchant_id, state, until)
          values (:merchantId, 'left', clock_timestamp() + %1$s)
          on conflict (merchant_id) do update
          set state = 'left', until = clock_timestamp() + %1$s
          """
              .formatted(ENDS_AFTER));

  private static final Sql KEEP =
      Sql.of(
          """
          update absent_merchant set until = 'infinity'
          where merchant_id = :merchantId and state = 'left'
            and until > clock_timestamp() + interval '1 second'
          """);

  private static final Sql NOW = Sql.of("select clock_timestamp() as now");

  /** Transactions that began before every node knew of the move take no lock. */
  private static final Sql OLD_TRANSACTIONS =
      Sql.of(
          """
          select 1 from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()
            and xact_start < :since and application_name not like 'stockroom move%'
            and backend_type = 'client backend' and state <> 'idle'
          """);

  private static final Sql LONG_TRANSACTIONS =
      Sql.of(
          """
          select 1 from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'advisory' and l.classid = :space and l.objid = :merchantId
            and l.database = (select oid from pg_database where datname = current_database())
            and l.granted and a.xact_start < clock_timestamp() - interval '500 milliseconds'
          """);

  /** Why the merchant cannot be paused, or not long enough. */
  static final String LATE = "the pause would have been too long";

  private static final String BUSY = "waits for the transactions of the merchant";
  private static final String CANCELLED = "57014";

  private final CellSide source;
  private final Database pool;
  private final Replication replication;
  private final int merchantId;
  private long began;

  /**
   * @param pool the old cell's; its role sees the transactions of all nodes
   */
  Pause(CellSide source, Database pool, Replication replication, int merchantId) {
    this.source = source;
    this.pool = pool;
    this.replication = replication;
    this.merchantId = merchantId;
  }

  Instant now() throws SQLException {
    return NOW.on(source.connection()).one(row -> Sql.instant(row, "now"));
  }

  /**
   * Pauses the merchant's writes. Afterwards the new cell has applied everything.
   *
   * @param fencedSince all transactions that began later take the lock of the merchant
   * @return why this was not possible; null if it was
   */
  @Nullable String begin(Instant fencedSince) throws SQLException {
    began = System.nanoTime();
    try {
      transaction(source.connection());
    } catch (SQLException failure) {
      if (SqlFailures.isLockTimeout(failure)) {
        return BUSY;
      }
      throw failure;
    }
    String obstacle = isAnyOld(fencedSince) ? BUSY : settle();
    if (obstacle != null) {
      end();
    }
    return obstacle;
  }

  private @Nullable String settle() throws SQLException {
    String end = replication.end();
    while (!replication.hasReached(end)) {
      if (remaining() == 0) {
        return LATE;
      }
      sleep();
    }
    return null;
  }

  /**
   * Compares what a lost transaction would change.
   *
   * @return why the merchant cannot be switched; null if both cells have the same rows
   */
  @Nullable String compare(RowComparison rows, CellSide target) throws SQLException {
    try {
      long limit = Math.max(1, remaining());
      source.limit(limit);
      target.limit(limit);
      List<String> differing = rows.differingCounts(source, target);
      if (!differing.isEmpty()) {
        return difference(differing);
      }
      return remaining() == 0 ? LATE : null;
    } catch (SQLException failure) {
      if (CANCELLED.equals(failure.getSQLState())) {
        return LATE;
      }
      throw failure;
    } finally {
      source.limit(MAX_STATEMENT.toMillis());
      target.limit(MAX_STATEMENT.toMillis());
    }
  }

  static String difference(List<String> tables) {
    return "the cells differ in %s".formatted(String.join(", ", tables));
  }

  /** Makes the pause permanent; false if it has ended meanwhile. */
  boolean keep() throws SQLException {
    return KEEP.on(source.connection()).set("merchantId", merchantId).update() == 1;
  }

  /** Lets writes go on in the old cell. */
  void end() throws SQLException {
    source.unmark(merchantId);
  }

  long millis() {
    return (System.nanoTime() - began) / 1_000_000;
  }

  /** How many milliseconds the pause may still last. */
  private long remaining() {
    return Math.max(0, MAX.toMillis() - millis());
  }

  /** Whether the pause would have to wait for a transaction, such as that of an import. */
  boolean mustWait(Instant fencedSince) throws SQLException {
    return isAnyOld(fencedSince) || isAnyLong();
  }

  private boolean isAnyOld(Instant since) throws SQLException {
    return pool.read(connection -> OLD_TRANSACTIONS.on(connection).set("since", since).exists());
  }

  private boolean isAnyLong() throws SQLException {
    return pool.read(
        connection ->
            LONG_TRANSACTIONS
                .on(connection)
                .set("space", AdvisoryLock.MERCHANT_MOVE.space())
                .set("merchantId", merchantId)
                .exists());
  }

  private void transaction(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try {
      source.execute("set local lock_timeout = '1s'");
      AdvisoryLock.MERCHANT_MOVE.hold(connection, merchantId);
      BEGIN.on(connection).set("merchantId", merchantId).update();
      connection.commit();
    } catch (SQLException | RuntimeException failure) {
      connection.rollback();
      throw failure;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  static void sleep() throws SQLException {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new SQLException("the server is stopping", "57P01", stopping);
    }
  }
}
