package io.stockroom.core.database;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What to do after the open transactions have been committed, by connection. {@link Database#write}
 * does it when it has given the connection back, so it may use the database again.
 */
public final class AfterCommit {
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Weak, because a connection may be closed without a commit or a rollback. */
  private static final Map<Connection, List<Runnable>> TASKS = new WeakHashMap<>();

  private AfterCommit() {}

  /** Runs {@code task} if the transaction of this connection is committed. */
  public static void run(Connection connection, Runnable task) {
    LOCK.lock();
    try {
      TASKS.computeIfAbsent(connection, _ -> new ArrayList<>()).add(task);
    } finally {
      LOCK.unlock();
    }
  }

  /** Returns and forgets the tasks; the transaction has ended. */
  static List<Runnable> take(Connection connection) {
    LOCK.lock();
    try {
      @Nullable List<Runnable> tasks = TASKS.remove(connection);
      return tasks == null ? List.of() : tasks;
    } finally {
      LOCK.unlock();
    }
  }
}
