package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: calls of different merchants of one cell that arrive while a transaction is running
 * share the next one. A single call costs what it would cost alone; under load, each costs a
 * fraction of it. Calls of one merchant run one after the other.
 *
 * <p>A call that would make the others wait, because somebody else has locked its rows or because
 * its merchant may be moving, gets a transaction of its own. So does each call of a transaction
 * that failed for another reason than an unavailable database.
 */
public final class BatchedWrite<C, R> {
  private static final Logger log = LoggerFactory.getLogger(BatchedWrite.class);

  /** How many calls share a transaction. */
  private static final int MAX_CALLS = 16;

  /** How many transactions run in one cell at the same time. */
  private static final int MAX_TRANSACTIONS = 4;

  /**
   * A further transaction needs this many calls that can run: two small ones cost more than one.
   */
  private static final int FURTHER_FROM = 8;

  /** What the calls of a transaction do. It may run again. */
  public interface Work<C, R> {
    /**
     * Does the work of calls of different merchants.
     *
     * @param waits whether to wait for rows that somebody else has locked, or to leave out the call
     * @return a result for each call, in their order; null if the call was left out
     */
    List<@Nullable R> run(Connection connection, List<C> calls, boolean waits) throws SQLException;
  }

  /** A merchant of a shared transaction may be moving. */
  private static final class Unsure extends SQLException {
    private static final long serialVersionUID = 1;
  }

  private final Cells cells;
  private final ToIntFunction<C> merchant;
  private final Work<C, R> work;
  private final Map<Database, Lane> lanes = new ConcurrentHashMap<>();

  /** Create it once and share it. */
  public BatchedWrite(Cells cells, ToIntFunction<C> merchant, Work<C, R> work) {
    this.cells = cells;
    this.merchant = merchant;
    this.work = work;
  }

  /** Runs the call in a transaction, and returns its result after the commit. */
  public R run(C call) throws SQLException {
    int merchantId = merchant.applyAsInt(call);
    Lane lane = lanes.computeIfAbsent(cells.databaseOf(merchantId), Lane::new);
    R result = lane.run(call, merchantId);
    if (result != null) {
      return result;
    }
    try {
      return cells.of(merchantId).write(connection -> alone(connection, call));
    } finally {
      lane.release(merchantId);
    }
  }

  private R alone(Connection connection, C call) throws SQLException {
    R result = work.run(connection, List.of(call), true).getFirst();
    if (result == null) {
      throw new IllegalStateException("a call that waits was left out");
    }
    return result;
  }

  private record Waiting<C, R>(C call, int merchantId, CompletableFuture<@Nullable R> result) {
    /** Tells the caller to use a transaction of its own. */
    void runAlone() {
      result.complete(null);
    }
  }

  /** The calls of one cell. */
  private final class Lane {
    private final Database database;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Waiting<C, R>> queue = new ArrayDeque<>();

    /** The merchants whose calls are running. */
    private final Set<Integer> busy = new HashSet<>();

    private int transactions;

    Lane(Database database) {
      this.database = database;
    }

    /**
     * The result; null if the call needs a transaction of its own. Then other calls of the merchant
     * wait until the caller releases it.
     */
    @Nullable R run(C call, int merchantId) throws SQLException {
      Waiting<C, R> waiting = new Waiting<>(call, merchantId, new CompletableFuture<>());
      lock.lock();
      try {
        queue.add(waiting);
        start();
      } finally {
        lock.unlock();
      }
      try {
        return waiting.result.join();
      } catch (CompletionException failure) {
        throw BatchedRead.unwrap(failure);
      }
    }

    void release(int merchantId) {
      lock.lock();
      try {
        busy.remove(merchantId);
        start();
      } finally {
        lock.unlock();
      }
    }

    /** Starts a transaction if it is worth it; the caller holds the lock. */
    private void start() {
      if (transactions < MAX_TRANSACTIONS && isWorth(transactions)) {
        database.execute(this::runAll);
        transactions++;
      }
    }

    /**
     * Whether enough calls can run for one more transaction; the caller holds the lock. Calls of
     * merchants that are busy cannot.
     *
     * @param others how many other transactions run; the last of them takes the calls otherwise
     */
    private boolean isWorth(int others) {
      return queue.stream()
              .mapToInt(Waiting::merchantId)
              .filter(merchantId -> !busy.contains(merchantId))
              .distinct()
              .limit(FURTHER_FROM)
              .count()
          >= (others == 0 ? 1 : FURTHER_FROM);
    }

    private void runAll() {
      for (List<Waiting<C, R>> batch = next(); !batch.isEmpty(); batch = next()) {
        List<Waiting<C, R>> settled = new ArrayList<>(batch.size());
        for (Waiting<C, R> waiting : batch) {
          if (isSettled(waiting)) {
            settled.add(waiting);
          } else {
            waiting.runAlone();
          }
        }
        if (!settled.isEmpty()) {
          runShared(settled);
        }
      }
    }

    /** The next calls, of merchants that are not busy; if there are none, the caller ends. */
    private List<Waiting<C, R>> next() {
      List<Waiting<C, R>> batch = new ArrayList<>();
      lock.lock();
      try {
        if (!isWorth(transactions - 1)) {
          transactions--;
          return batch;
        }
        for (Iterator<Waiting<C, R>> each = queue.iterator();
            each.hasNext() && batch.size() < MAX_CALLS; ) {
          Waiting<C, R> waiting = each.next();
          if (busy.add(waiting.merchantId)) {
            batch.add(waiting);
            each.remove();
          }
        }
      } finally {
        lock.unlock();
      }
      return batch;
    }

    private void runShared(List<Waiting<C, R>> batch) {
      List<@Nullable R> results = new ArrayList<>();
      try {
        results.addAll(database.write(connection -> shared(connection, batch)));
      } catch (SQLException | RuntimeException | Error failure) {
        if (failure instanceof Error || SqlFailures.isUnavailable(failure)) {
          for (Waiting<C, R> waiting : batch) {
            release(waiting.merchantId);
            waiting.result.completeExceptionally(failure);
          }
        } else {
          log.debug("runs {} calls again, each alone", batch.size(), failure);
          batch.forEach(Waiting::runAlone);
        }
        return;
      }
      for (int i = 0; i < results.size(); i++) {
        if (results.get(i) != null) {
          release(batch.get(i).merchantId);
        }
        batch.get(i).result.complete(results.get(i));
      }
    }

    private List<@Nullable R> shared(Connection connection, List<Waiting<C, R>> batch)
        throws SQLException {
      List<@Nullable R> results =
          work.run(connection, batch.stream().map(Waiting::call).toList(), false);
      BatchedRead.requireAll(batch, results);
      if (!batch.stream().allMatch(this::isSettled)) {
        throw new Unsure();
      }
      return results;
    }

    private boolean isSettled(Waiting<C, R> waiting) {
      try {
        return cells.isSettledIn(database, waiting.merchantId);
      } catch (SQLException unknown) {
        log.debug("cannot find the cell of merchant {}", waiting.merchantId, unknown);
        return false;
      }
    }
  }
}
