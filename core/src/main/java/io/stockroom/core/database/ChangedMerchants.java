package io.stockroom.core.database;

import java.sql.Connection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which merchants the open transactions have changed, by connection. {@link Database} tells its
 * listeners after the commit.
 */
public final class ChangedMerchants {
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Weak, because a connection may be closed without a commit or a rollback. */
  private static final Map<Connection, Set<Integer>> NOTED = new WeakHashMap<>();

  private ChangedMerchants() {}

  /** Notes that the transaction of this connection changes the merchant's products or stock. */
  public static void note(Connection connection, int merchantId) {
    LOCK.lock();
    try {
      NOTED.computeIfAbsent(connection, _ -> new TreeSet<>()).add(merchantId);
    } finally {
      LOCK.unlock();
    }
  }

  /** Returns and forgets what was noted; the transaction has ended. */
  static Set<Integer> take(Connection connection) {
    LOCK.lock();
    try {
      @Nullable Set<Integer> noted = NOTED.remove(connection);
      return noted == null ? Set.of() : noted;
    } finally {
      LOCK.unlock();
    }
  }
}
