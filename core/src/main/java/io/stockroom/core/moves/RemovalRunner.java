package io.stockroom.core.moves;

import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.StopSignal;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the data of closed merchants in small transactions. Any node continues what another has
 * begun, because each step can be repeated.
 */
public final class RemovalRunner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RemovalRunner.class);
  private static final Duration POLL = Duration.ofSeconds(10);

  /** The audit log stays, and what it and the pages about the merchant need. */
  private static final Set<String> KEPT =
      Set.of("audit", "audit_received", "log_head", "merchant_data", "detail_usage");

  private static final String IS_PENDING =
      """
      removal_requested_at is not null and removed_at is null and not exists (
        select 1 from merchant_move v where v.merchant_id = m.merchant_id and v.ended_at is null)
      """;

  private static final Sql PENDING =
      Sql.of(
          "select merchant_id, cell_id from merchant m where %s order by merchant_id"
              .formatted(IS_PENDING));

  private static final Sql STILL_PENDING =
      Sql.of(
          """
          select 1 from merchant m
          where merchant_id = :merchantId and cell_id = :cellId and %s
          """
              .formatted(IS_PENDING));

  private static final Sql RESET_COUNTS =
      Sql.of("update merchant_data set products = 0, archived = 0 where merchant_id = :merchantId");

  private static final Sql FINISH =
      Sql.of(
          """
          update merchant set removed_at = now()
          where merchant_id = :merchantId and removed_at is null
          """);

  private record Pending(int merchantId, int cellId) {}

  /** Deletes what a merchant has outside the databases; may be called again. */
  public interface Outside {
    void removeAll(int merchantId) throws IOException;
  }

  private final Cells cells;
  private final Outside outside;
  private final StopSignal stop = new StopSignal();

  public RemovalRunner(Cells cells, Outside outside) {
    this.cells = cells;
    this.outside = outside;
  }

  public RemovalRunner start() {
    Thread.ofVirtual().name("removals").start(this::run);
    return this;
  }

  private void run() {
    while (!stop.comesWithin(POLL)) {
      try {
        pending().forEach(this::tryToRemove);
      } catch (SQLException | RuntimeException failure) {
        log.warn("Cannot read which merchants to remove; tries again: {}", failure.getMessage());
      }
    }
  }

  /** A cell that is down does not delay the removals in others. */
  private void tryToRemove(Pending pending) {
    try {
      remove(pending);
    } catch (SQLException | IOException | RuntimeException failure) {
      log.warn(
          "Cannot remove the data of merchant {}; tries again: {}",
          pending.merchantId,
          failure.getMessage());
    }
  }

  private List<Pending> pending() throws SQLException {
    return cells
        .directory()
        .read(
            connection ->
                PENDING
                    .on(connection)
                    .list(row -> new Pending(row.getInt("merchant_id"), row.getInt("cell_id"))));
  }

  private void remove(Pending pending) throws SQLException, IOException {
    for (CellTable.Row row : cells.directory().read(CellTable::withMerchants)) {
      if (row.id() == pending.cellId) {
        try (CellSide side = new CellSide(cells.roles(row).owner())) {
          remove(pending, side);
        }
      }
    }
  }

  private void remove(Pending pending, CellSide side) throws SQLException, IOException {
    int merchantId = pending.merchantId;
    boolean isMine =
        AdvisoryLock.MERCHANT_REMOVAL.tryHoldForConnection(side.connection(), merchantId);
    if (!isMine || !isStillPending(pending)) {
      return;
    }
    endTransactions(side, merchantId);
    outside.removeAll(merchantId);
    side.deleteRows(merchantId, KEPT);
    RESET_COUNTS.on(side.connection()).set("merchantId", merchantId).update();
    side.unmark(merchantId);
    cells
        .directory()
        .write(connection -> FINISH.on(connection).set("merchantId", merchantId).update());
    log.info("The data of merchant {} is removed.", merchantId);
  }

  private boolean isStillPending(Pending pending) throws SQLException {
    return cells
        .directory()
        .read(
            connection ->
                STILL_PENDING
                    .on(connection)
                    .set("merchantId", pending.merchantId)
                    .set("cellId", pending.cellId)
                    .exists());
  }

  /** Waits for transactions such as that of an import; from then on none begins. */
  private static void endTransactions(CellSide side, int merchantId) throws SQLException {
    Connection connection = side.connection();
    connection.setAutoCommit(false);
    try {
      AdvisoryLock.MERCHANT_MOVE.hold(connection, merchantId);
      side.mark(merchantId, "left");
      connection.commit();
    } catch (SQLException | RuntimeException failure) {
      connection.rollback();
      throw failure;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** Another node continues. */
  @Override
  public void close() {
    stop.send();
  }
}
