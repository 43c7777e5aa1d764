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
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
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
    /** Very small values and one statement at a time. */
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

  /**
   * Callers come in crowds: after a shared statement, the next one waits a moment for more. If they
   * are spread over several databases, fewer share each statement. So it waits longer then, the
   * more callers there are; a few would only lose time.
   */
  private static final long GATHER_NANOS = 400_000;

  private static final long MORE_NANOS_PER_CALLER = 100_000;
  private static final long MAX_GATHER_NANOS = 2_400_000;

  /** A second reader starts when this many keys wait: two small statements cost more than one. */
  private static final int SECOND_READER_FROM = 8;

  /** One statement for many keys. */
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
  private final IntSupplier sharers;

  /**
   * Creates a batched read.
   *
   * @param sharers over how many databases the callers are spread
   */
  BatchedRead(
      Database database,
      Executor readers,
      Shape shape,
      IntSupplier sharers,
      Statement<K, V> statement) {
    this.database = database;
    this.sharers = sharers;
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
        if (shape == Shape.IN_TURN && batch.size() > 1) {
          LockSupport.parkNanos(gatherNanos(batch.size()));
        }
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
      requireAll(keys, answers);
      for (int i = 0; i < answers.size(); i++) {
        batch.get(i).answer.complete(answers.get(i));
      }
    } catch (SQLException | RuntimeException | Error failure) {
      batch.forEach(waiting -> waiting.answer.completeExceptionally(failure));
    }
  }

  /** Else the callers without a value would wait for ever. */
  static void requireAll(List<?> keys, List<?> values) {
    if (values.size() != keys.size()) {
      throw new IllegalStateException(
          "a statement returned %d values for %d keys".formatted(values.size(), keys.size()));
    }
  }

  private long gatherNanos(int callers) {
    if (sharers.getAsInt() == 1) {
      return GATHER_NANOS;
    }
    return Math.min(GATHER_NANOS + (callers - 1) * MORE_NANOS_PER_CALLER, MAX_GATHER_NANOS);
  }

  static SQLException unwrap(CompletionException failure) {
    if (failure.getCause() instanceof SQLException cause) {
      // one exception for each caller, with the same SQL state
      return new SQLException(cause.getMessage(), cause.getSQLState(), cause);
    }
    throw failure;
  }
}
