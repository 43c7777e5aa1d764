package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Batches reads by key (the DataLoader pattern): the keys that arrive while a statement is running
 * are read together by the next one. A single caller pays one round trip; under load, each pays a
 * fraction of it.
 */
public final class BatchedRead<K, V extends @Nullable Object> {
  /** How the statements of a read share the work. */
  enum Shape {
    /** Small values: many keys in one statement, and seldom two statements at a time. */
    SMALL(32, 2),
    /**
     * Values that take longer to read than a round trip: few keys in one statement, so that the
     * database reads for some callers while this node reads the rows of others.
     */
    LARGE(4, 3),
    /** Very small values, one statement at a time. */
    IN_TURN(MAX_CALLS, 1);

    private final int maxKeys;
    private final int maxReaders;

    Shape(int maxKeys, int maxReaders) {
      this.maxKeys = maxKeys;
      this.maxReaders = maxReaders;
    }
  }

  /** How many calls share a statement, even if all have the same key. */
  private static final int MAX_CALLS = 1024;

  /** A second reader starts when this many keys wait: two small statements cost more than one. */
  private static final int SECOND_READER_FROM = 8;

  /**
   * One statement for many keys. Write their array as {@code (select :keys::int[])}: that hides how
   * many there are from the planner, so that it makes one plan for any number of keys and keeps it.
   * Otherwise a plan for the keys of this moment always seems better, and planning takes longer
   * than running it.
   */
  public interface Statement<K, V extends @Nullable Object> {
    /** Returns one value for each key, in the order of the keys. */
    List<V> run(Connection connection, List<K> keys) throws SQLException;
  }

  private record Waiting<K, V extends @Nullable Object>(K key, CompletableFuture<V> answer) {}

  private final Database database;
  private final Statement<K, V> statement;
  private final Queue<Waiting<K, V>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();

  private final Executor readers;
  private final Shape shape;

  BatchedRead(Database database, Executor readers, Shape shape, Statement<K, V> statement) {
    this.database = database;
    this.readers = readers;
    this.shape = shape;
    this.statement = statement;
  }

  /**
   * Returns the value of {@code key}; if the statement fails, it fails for all callers of the
   * batch.
   */
  public V get(K key) throws SQLException {
    try {
      return submit(key).join();
    } catch (CompletionException failure) {
      throw unwrap(failure);
    }
  }

  /** As {@link #get}, without waiting. */
  public CompletableFuture<V> submit(K key) {
    Waiting<K, V> waiting = new Waiting<>(key, new CompletableFuture<>());
    queue.add(waiting);
    queued.incrementAndGet();
    wakeReader();
    return waiting.answer;
  }

  private void wakeReader() {
    int working = busy.get();
    while (working == 0 || (working < shape.maxReaders && queued.get() >= SECOND_READER_FROM)) {
      if (busy.compareAndSet(working, working + 1)) {
        readers.execute(this::answerAll);
        return;
      }
      working = busy.get();
    }
  }

  private void answerAll() {
    List<Waiting<K, V>> batch = new ArrayList<>();
    try {
      for (gather(batch); !batch.isEmpty(); gather(batch)) {
        answer(batch);
      }
    } finally {
      busy.decrementAndGet();
      if (!queue.isEmpty()) {
        // a key arrived after the last poll and found every reader busy
        wakeReader();
      }
    }
  }

  private void gather(List<Waiting<K, V>> batch) {
    batch.clear();
    Set<K> keys = new HashSet<>();
    while (keys.size() < shape.maxKeys && batch.size() < MAX_CALLS) {
      Waiting<K, V> next = queue.poll();
      if (next == null) {
        return;
      }
      queued.decrementAndGet();
      batch.add(next);
      keys.add(next.key);
    }
  }

  private void answer(List<Waiting<K, V>> batch) {
    try {
      List<K> keys = batch.stream().map(Waiting::key).toList();
      List<V> answers = database.read(connection -> statement.run(connection, keys));
      if (answers.size() != keys.size()) {
        // else the callers without a value would wait for ever
        throw new IllegalStateException(
            "a statement returned %d values for %d keys".formatted(answers.size(), keys.size()));
      }
      for (int i = 0; i < answers.size(); i++) {
        batch.get(i).answer.complete(answers.get(i));
      }
    } catch (SQLException | RuntimeException | Error failure) {
      batch.forEach(waiting -> waiting.answer.completeExceptionally(failure));
    }
  }

  private static SQLException unwrap(CompletionException failure) {
    if (failure.getCause() instanceof SQLException cause) {
      // one exception for each caller, with the same SQL state
      return new SQLException(cause.getMessage(), cause.getSQLState(), cause);
    }
    throw failure;
  }
}
