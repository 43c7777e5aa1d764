package io.stockroom.core.changes;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of this node that wait for a change. A commit on this node wakes those of its merchant
 * at once. Commits on other nodes are found by one small statement every half second, which runs
 * only while calls wait.
 *
 * <p>The number of waiting calls is bounded. If there is no room, the token with the most waiting
 * calls gives way: its oldest one is answered, without changes.
 */
public final class ChangeWaiters implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChangeWaiters.class);
  private static final Duration POLL_EVERY = Duration.ofMillis(500);

  private static final Sql LAST_CHANGES =
      Sql.of(
          """
          select merchant_id, last_change from log_head
          where merchant_id = any (:merchantIds::int[])
          """);

  private final Cells cells;
  private final int max;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Deque<Waiter>> byMerchant = new HashMap<>();
  private final Map<Integer, Deque<Waiter>> byToken = new HashMap<>();
  private int count;
  private boolean isPolling;
  private boolean isStopped;

  /**
   * Makes an empty set of waiting calls.
   *
   * @param max the maximum number of waiting calls
   */
  public ChangeWaiters(Cells cells, int max, MeterRegistry meters) {
    this.cells = cells;
    this.max = max;
    Gauge.builder("stockroom.changes.waiting", this, ChangeWaiters::count)
        .description("Calls that wait for a change")
        .register(meters);
    cells.afterChange(merchantId -> wake(merchantId, Long.MAX_VALUE));
  }

  /** One waiting call. */
  static final class Waiter implements AutoCloseable {
    /** Until the call knows the end of the log, only a commit on this node wakes it. */
    private static final long UNKNOWN = Long.MAX_VALUE - 1;

    private final int merchantId;
    private final int tokenId;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile long after = UNKNOWN;

    private Waiter(int merchantId, int tokenId) {
      this.merchantId = merchantId;
      this.tokenId = tokenId;
    }

    /** Sets the number of the last change that the call has seen. */
    void after(long number) {
      after = number;
    }

    /** Completes with whether there is a change; false if the time is over or it gives way. */
    CompletableFuture<Boolean> ended() {
      return ended;
    }

    @Override
    public void close() {
      ended.complete(false);
    }
  }

  /** Registers a call; null if it cannot wait here. The caller must close it. */
  @Nullable Waiter add(int merchantId, int tokenId, Duration wait) {
    lock.lock();
    try {
      if (isStopped || (count >= max && !madeRoom(tokenId))) {
        return null;
      }
      Waiter waiter = new Waiter(merchantId, tokenId);
      byMerchant.computeIfAbsent(merchantId, _ -> new ArrayDeque<>(2)).add(waiter);
      byToken.computeIfAbsent(tokenId, _ -> new ArrayDeque<>(2)).add(waiter);
      count++;
      if (!isPolling) {
        isPolling = true;
        Thread.ofVirtual().name("change-poll").start(this::poll);
      }
      var _ =
          waiter
              .ended
              .completeOnTimeout(false, wait.toMillis(), TimeUnit.MILLISECONDS)
              .thenRun(() -> forget(waiter));
      return waiter;
    } finally {
      lock.unlock();
    }
  }

  private void forget(Waiter waiter) {
    lock.lock();
    try {
      remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the oldest wait of the token with the most, unless that would be the same token. */
  private boolean madeRoom(int tokenId) {
    Deque<Waiter> own = byToken.getOrDefault(tokenId, new ArrayDeque<>(0));
    return byToken.values().stream()
        .max(Comparator.comparingInt(Collection::size))
        .filter(most -> most.size() > own.size() + 1)
        .map(
            most -> {
              Waiter oldest = most.getFirst();
              oldest.close();
              return true;
            })
        .orElse(false);
  }

  private void remove(Waiter waiter) {
    if (remove(byMerchant, waiter.merchantId, waiter)) {
      remove(byToken, waiter.tokenId, waiter);
      count--;
    }
  }

  private static boolean remove(Map<Integer, Deque<Waiter>> map, int key, Waiter waiter) {
    Deque<Waiter> waiters = map.get(key);
    boolean isRemoved = waiters != null && waiters.remove(waiter);
    if (waiters != null && waiters.isEmpty()) {
      map.remove(key);
    }
    return isRemoved;
  }

  /** How many calls wait now. */
  public int count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the calls of a merchant that have not seen this change. */
  private void wake(int merchantId, long lastChange) {
    List<Waiter> woken;
    lock.lock();
    try {
      woken =
          byMerchant.getOrDefault(merchantId, new ArrayDeque<>(0)).stream()
              .filter(waiter -> waiter.after < lastChange)
              .toList();
      // now, not one after the other as each completes
      woken.forEach(this::remove);
    } finally {
      lock.unlock();
    }
    woken.forEach(waiter -> waiter.ended.complete(true));
  }

  private void poll() {
    for (List<Integer> merchants = waitedFor(); !merchants.isEmpty(); merchants = waitedFor()) {
      LockSupport.parkNanos(POLL_EVERY.toNanos());
      try {
        wakeChanged(merchants);
      } catch (SQLException | RuntimeException failure) {
        // the calls go on waiting, and the next poll may succeed
        log.debug("cannot look for changes of other nodes", failure);
      }
    }
  }

  /** The merchants that calls wait for; ends the polling if there are none. */
  private List<Integer> waitedFor() {
    lock.lock();
    try {
      isPolling = !byMerchant.isEmpty();
      return List.copyOf(byMerchant.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the calls of each cell before it asks the next one, which may be slow. */
  private void wakeChanged(List<Integer> merchants) throws SQLException {
    cells.each(
        merchants,
        (database, ofCell) -> {
          Map<Integer, Long> last = new HashMap<>();
          database.read(
              connection -> {
                LAST_CHANGES
                    .on(connection)
                    .set("merchantIds", ofCell.toArray(Integer[]::new))
                    .forEach(
                        row -> last.put(row.getInt("merchant_id"), row.getLong("last_change")));
                return last;
              });
          last.forEach(this::wake);
        });
  }

  /** Answers all waiting calls, and lets no further call wait: the server stops. */
  @Override
  public void close() {
    List<Waiter> ended;
    lock.lock();
    try {
      isStopped = true;
      ended = byMerchant.values().stream().flatMap(Collection::stream).toList();
    } finally {
      lock.unlock();
    }
    ended.forEach(Waiter::close);
  }
}
