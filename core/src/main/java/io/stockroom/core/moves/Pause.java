package io.stockroom.core.moves;

import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Rows;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The pause of a merchant's writes: waits for running transactions, for the end of the replication,
 * and compares the rows of both cells. It expires unless {@link #keep} makes it permanent.
 */
final class Pause {
  /** Longer than a pause may take, and shorter than a lease. */
  private static final String ENDS_AFTER = "interval '4 seconds'";

  private static final Duration MAX = Duration.ofMillis(1900);
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

  /** Why the merchant could not be paused, or the cells differ. */
  record Obstacle(String message, boolean isMismatch) {}

  private final CellSide source;
  private final CellSide target;
  private final Database pool;
  private final Replication replication;
  private final int merchantId;
  private long began;

  /**
   * @param pool the old cell's; its role sees the transactions of all nodes
   */
  Pause(CellSide source, CellSide target, Database pool, Replication replication, int merchantId) {
    this.source = source;
    this.target = target;
    this.pool = pool;
    this.replication = replication;
    this.merchantId = merchantId;
  }

  Instant now() throws SQLException {
    return NOW.on(source.connection()).one(row -> Rows.instant(row, "now"));
  }

  /**
   * Pauses the merchant's writes. Afterwards both cells have the same rows.
   *
   * @param fencedSince all transactions that began later take the lock of the merchant
   */
  @Nullable Obstacle begin(Instant fencedSince) throws SQLException {
    began = System.nanoTime();
    try {
      transaction(source.connection());
    } catch (SQLException failure) {
      if (Database.isLockTimeout(failure)) {
        return new Obstacle("waits for the transactions of the merchant", false);
      }
      throw failure;
    }
    Obstacle obstacle = isAnyOld(fencedSince) ? late() : settle();
    if (obstacle != null) {
      end();
    }
    return obstacle;
  }

  private @Nullable Obstacle settle() throws SQLException {
    String end = replication.end();
    while (!replication.hasReached(end)) {
      if (isLate()) {
        return late();
      }
      sleep();
    }
    List<String> differing = differing();
    if (!differing.isEmpty()) {
      return new Obstacle("the cells differ in %s".formatted(String.join(", ", differing)), true);
    }
    return isLate() ? late() : null;
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

  private boolean isLate() {
    return System.nanoTime() - began > MAX.toNanos();
  }

  private static Obstacle late() {
    return new Obstacle("the pause would have been too long; tries again", false);
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

  /** The tables whose rows of the merchant are not the same in both cells. */
  private List<String> differing() throws SQLException {
    Sql sums =
        Sql.of(
            source.tables().stream()
                .map(
                    table ->
                        """
                        select '%1$s' as name, count(*) || ' ' ||
                          coalesce(sum(hash_record_extended(t, 0)), 0) as sum
                        from %1$s t where merchant_id = :merchantId
                        """
                            .formatted(table))
                .collect(Collectors.joining(" union all ")));
    CompletableFuture<List<String>> there = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                there.complete(sums(sums, target));
              } catch (SQLException | RuntimeException failure) {
                there.completeExceptionally(failure);
              }
            });
    List<String> different = new ArrayList<>(sums(sums, source));
    try {
      different.removeAll(there.join());
    } catch (CompletionException failure) {
      throw new SQLException("the new cell does not answer", "08006", failure.getCause());
    }
    return different.stream().map(sum -> sum.split(" ", 2)[0]).toList();
  }

  private List<String> sums(Sql sums, CellSide side) throws SQLException {
    return sums.on(side.connection())
        .set("merchantId", merchantId)
        .list(row -> row.getString("name") + " " + row.getString("sum"));
  }

  private static void sleep() throws SQLException {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new SQLException("the server is stopping", "57P01", stopping);
    }
  }
}
