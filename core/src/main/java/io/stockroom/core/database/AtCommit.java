package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What happens after an open transaction has committed, by connection: {@link Database} tells its
 * listeners which merchants were changed, and runs the tasks when it has given the connection back,
 * so they may use the database again.
 */
public final class AtCommit {
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Weak, because a connection may be closed without a commit or a rollback. */
  private static final Map<Connection, Notes> NOTES = new WeakHashMap<>();

  /** What was noted in one transaction. */
  static final class Notes {
    private static final Notes NONE = new Notes();

    final Set<Integer> changedMerchants = new TreeSet<>();
    final List<Runnable> tasks = new ArrayList<>(0);
  }

  private AtCommit() {}

  /** Tells the listeners that this transaction changed the merchant's products or stock. */
  public static void announce(Connection connection, int merchantId) {
    LOCK.lock();
    try {
      of(connection).changedMerchants.add(merchantId);
    } finally {
      LOCK.unlock();
    }
  }

  /** Runs {@code task} after the commit. */
  public static void run(Connection connection, Runnable task) {
    LOCK.lock();
    try {
      of(connection).tasks.add(task);
    } finally {
      LOCK.unlock();
    }
  }

  private static Notes of(Connection connection) {
    return NOTES.computeIfAbsent(connection, _ -> new Notes());
  }

  /** Commits, and returns what remains to be done. */
  static Notes commit(Connection connection) throws SQLException {
    Notes notes = forget(connection);
    connection.commit();
    return notes;
  }

  /** Forgets what was noted, and returns it: the transaction ends. */
  static Notes forget(Connection connection) {
    LOCK.lock();
    try {
      @Nullable Notes noted = NOTES.remove(connection);
      return noted == null ? Notes.NONE : noted;
    } finally {
      LOCK.unlock();
    }
  }
}
