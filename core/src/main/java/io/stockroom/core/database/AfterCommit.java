package io.stockroom.core.database;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What follows the commit of an open transaction, by connection. {@link Database} tells its
 * listeners which merchants were changed. It runs the tasks when it has given the connection back,
 * so they may use the database again.
 */
public final class AfterCommit {
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Weak, because a connection may be closed without a commit or a rollback. */
  private static final Map<Connection, Notes> NOTES = new WeakHashMap<>();

  /** What was noted in one transaction. */
  record Notes(Set<Integer> changedMerchants, List<Runnable> tasks) {
    private static final Notes NONE = new Notes(Set.of(), List.of());
  }

  private AfterCommit() {}

  /** Tells the listeners that this transaction changed the merchant's products or stock. */
  public static void announce(Connection connection, int merchantId) {
    LOCK.lock();
    try {
      of(connection).changedMerchants.add(merchantId);
    } finally {
      LOCK.unlock();
    }
  }

  /** Runs {@code task}. */
  public static void run(Connection connection, Runnable task) {
    LOCK.lock();
    try {
      of(connection).tasks.add(task);
    } finally {
      LOCK.unlock();
    }
  }

  private static Notes of(Connection connection) {
    return NOTES.computeIfAbsent(connection, _ -> new Notes(new TreeSet<>(), new ArrayList<>(0)));
  }

  /** Returns and forgets what was noted; the transaction has ended. */
  static Notes take(Connection connection) {
    LOCK.lock();
    try {
      @Nullable Notes noted = NOTES.remove(connection);
      return noted == null ? Notes.NONE : noted;
    } finally {
      LOCK.unlock();
    }
  }
}
