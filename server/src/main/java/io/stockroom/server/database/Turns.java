package io.stockroom.server.database;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number of places, given out in the order of asking. Those who wait can be sent away at once,
 * which a pool of connections cannot do.
 */
final class Turns {
  private static final String BUSY = "53300";

  /** Somebody who waits, until it becomes true (a place) or false (sent away). */
  private static final class Waiter {
    private final CompletableFuture<Boolean> turn = new CompletableFuture<>();
  }

  private final long longestWaitMillis;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiter> waiting = new ArrayDeque<>();
  private int free;

  Turns(int places, Duration longestWait) {
    this.free = places;
    this.longestWaitMillis = longestWait.toMillis();
  }

  /** Takes a place, which {@link #give} gives back; waits for one where none is free. */
  void take() throws SQLException {
    Waiter waiter = new Waiter();
    lock.lock();
    try {
      if (free > 0) {
        free--;
        return;
      }
      waiting.add(waiter);
    } finally {
      lock.unlock();
    }
    if (!await(waiter)) {
      throw new SQLTransientConnectionException("the database does not answer", "08006");
    }
  }

  private boolean await(Waiter waiter) throws SQLException {
    try {
      return waiter.turn.get(longestWaitMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      return giveUp(waiter);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return giveUp(waiter);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private boolean giveUp(Waiter waiter) throws SQLException {
    lock.lock();
    try {
      if (!waiting.remove(waiter)) {
        // its turn came, or it was sent away, in this very moment
        return waiter.turn.join();
      }
    } finally {
      lock.unlock();
    }
    throw new SQLTransientConnectionException(
        "no connection to the database was free within " + longestWaitMillis + " ms", BUSY);
  }

  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  void give() {
    lock.lock();
    try {
      Waiter next = waiting.poll();
      if (next == null) {
        free++;
      } else {
        next.turn.complete(true);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the waiting of all who wait now: the database has fallen silent. */
  void sendAway() {
    List<Waiter> sent;
    lock.lock();
    try {
      sent = new ArrayList<>(waiting);
      waiting.clear();
    } finally {
      lock.unlock();
    }
    sent.forEach(waiter -> waiter.turn.complete(false));
  }
}
