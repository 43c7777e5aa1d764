package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uses the database of one merchant, which may be moving to another cell. Unless this node is sure
 * that the merchant is not moving, a transaction first shares a lock that the mover takes alone,
 * and looks whether the merchant is still there. What finds the merchant gone waits until the
 * directory names the new cell, and runs again there.
 */
final class MerchantFence {
  private static final Logger log = LoggerFactory.getLogger(MerchantFence.class);
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final long POLL_MILLIS = 25;

  private static final Sql STATE =
      Sql.of(
          """
          select state from absent_merchant
          where merchant_id = :merchantId and until > clock_timestamp()
          """);

  /** The merchant is not in this cell, or no longer. */
  private static final class Gone extends SQLException {
    private static final long serialVersionUID = 1;

    Gone(int merchantId) {
      super("merchant " + merchantId + " is moving to another cell", "55006");
    }
  }

  /** This node is no longer sure that the merchant is not moving. */
  private static final class Unsure extends SQLException {
    private static final long serialVersionUID = 1;
  }

  private interface Attempt<T extends @Nullable Object> {
    T on(Database database) throws SQLException;
  }

  private final Cells cells;
  private final int merchantId;

  MerchantFence(Cells cells, int merchantId) {
    this.cells = cells;
    this.merchantId = merchantId;
  }

  /** Reads, and looks afterwards whether the merchant was still there. */
  <T extends @Nullable Object> T read(Database.Work<T> work) throws SQLException {
    return attempt(
        database ->
            database.read(
                connection -> {
                  T found = work.run(connection);
                  if (!cells.isSettledIn(database, merchantId)) {
                    require(connection, database);
                  }
                  return found;
                }));
  }

  /**
   * Writes without the lock while this node is sure. If it is not sure afterwards, because it has
   * slept or the directory does not answer, the work runs again with the lock; this needs only the
   * cell.
   */
  <T extends @Nullable Object> T write(Database.Work<T> work) throws SQLException {
    return attempt(
        database -> {
          if (cells.isSettledIn(database, merchantId)) {
            try {
              return database.write(
                  connection -> {
                    T done = work.run(connection);
                    if (!cells.isSettledIn(database, merchantId)) {
                      throw new Unsure();
                    }
                    return done;
                  });
            } catch (Unsure slow) {
              log.debug("runs a transaction of merchant {} again", merchantId, slow);
            }
          }
          return database.write(connection -> locked(connection, database, work));
        });
  }

  /** Always takes the lock first, because the work cannot run again. */
  <T extends @Nullable Object> T writeOnce(Database.Work<T> work) throws SQLException {
    return attempt(
        database -> database.writeOnce(connection -> locked(connection, database, work)));
  }

  private <T extends @Nullable Object> T locked(
      Connection connection, Database database, Database.Work<T> work) throws SQLException {
    enter(connection, database);
    return work.run(connection);
  }

  /** A move waits for the end of this transaction. */
  LongTransaction begin() throws SQLException {
    return attempt(
        database -> {
          LongTransaction transaction = database.begin();
          try {
            enter(transaction.connection(), database);
            return transaction;
          } catch (SQLException | RuntimeException failure) {
            transaction.close();
            throw failure;
          }
        });
  }

  /** Looks whether the merchant is in this database; for reads that many merchants share. */
  boolean isIn(Database database) throws SQLException {
    try {
      return database.read(
          connection -> {
            require(connection, database);
            return true;
          });
    } catch (Gone elsewhere) {
      return false;
    }
  }

  /** Waits until the directory names another cell than this one, or the merchant is back. */
  void await(Database left, long began) throws SQLException {
    if (cells.locate(merchantId) != left) {
      return;
    }
    if (System.nanoTime() - began > MAX_WAIT_NANOS) {
      throw new SQLTransientConnectionException(
          "merchant " + merchantId + " is moving to another cell", "08006");
    }
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("the server is stopping", "08006", stopping);
    }
  }

  private <T extends @Nullable Object> T attempt(Attempt<T> attempt) throws SQLException {
    long began = System.nanoTime();
    while (true) {
      Database database = cells.databaseOf(merchantId);
      try {
        return attempt.on(database);
      } catch (Gone moving) {
        await(database, began);
      }
    }
  }

  private void enter(Connection connection, Database database) throws SQLException {
    AdvisoryLock.MERCHANT_MOVE.holdShared(connection, merchantId);
    require(connection, database);
  }

  private void require(Connection connection, Database database) throws SQLException {
    String state =
        STATE.on(connection).set("merchantId", merchantId).first(row -> row.getString("state"));
    if (state == null) {
      return;
    }
    // the mover deletes the row of a merchant that has arrived a moment after the switch
    if (!state.equals("arriving") || cells.locate(merchantId) != database) {
      throw new Gone(merchantId);
    }
  }
}
