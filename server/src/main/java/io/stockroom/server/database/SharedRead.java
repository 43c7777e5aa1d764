package io.stockroom.server.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A read that many callers want at the same time, each with a key of its own. Whoever comes while
 * the readers are busy waits with the others, and the next statement asks for all of them at once:
 * under load a question costs a fraction of a round trip, alone it costs one.
 */
public final class SharedRead<K, V extends @Nullable Object> {
  private static final int READERS = 2;
  private static final int MOST_TOGETHER = 32;

  /**
   * So many have to wait before a second reader begins: two small statements at a time cost more
   * than one that is larger, and take the processors from those who have their answers.
   */
  private static final int WORTH_ANOTHER = 8;

  /** One statement for many keys. */
  public interface Statement<K, V extends @Nullable Object> {
    /** Gives one answer for each key, in the order of the keys. */
    List<V> run(Connection connection, List<K> keys) throws SQLException;
  }

  private record Waiting<K, V extends @Nullable Object>(K key, CompletableFuture<V> answer) {}

  private final Database database;
  private final Statement<K, V> statement;
  private final Queue<Waiting<K, V>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();

  private final Executor readers;

  SharedRead(Database database, Executor readers, Statement<K, V> statement) {
    this.database = database;
    this.readers = readers;
    this.statement = statement;
  }

  /** The answer for {@code key}; a failure of the statement is the failure of all who shared it. */
  public V get(K key) throws SQLException {
    Waiting<K, V> waiting = new Waiting<>(key, new CompletableFuture<>());
    queue.add(waiting);
    queued.incrementAndGet();
    wakeReader();
    try {
      return waiting.answer.join();
    } catch (CompletionException failure) {
      throw unwrap(failure);
    }
  }

  private void wakeReader() {
    int working = busy.get();
    while (working == 0 || (working < READERS && queued.get() >= WORTH_ANOTHER)) {
      if (busy.compareAndSet(working, working + 1)) {
        readers.execute(this::answerAll);
        return;
      }
      working = busy.get();
    }
  }

  private void answerAll() {
    List<Waiting<K, V>> together = new ArrayList<>(MOST_TOGETHER);
    try {
      for (gather(together); !together.isEmpty(); gather(together)) {
        answer(together);
      }
    } finally {
      busy.decrementAndGet();
      if (!queue.isEmpty()) {
        // it came after the last look and found every reader busy
        wakeReader();
      }
    }
  }

  private void gather(List<Waiting<K, V>> together) {
    together.clear();
    while (together.size() < MOST_TOGETHER) {
      Waiting<K, V> next = queue.poll();
      if (next == null) {
        return;
      }
      queued.decrementAndGet();
      together.add(next);
    }
  }

  private void answer(List<Waiting<K, V>> together) {
    try {
      List<K> keys = together.stream().map(Waiting::key).toList();
      List<V> answers = database.read(connection -> statement.run(connection, keys));
      for (int i = 0; i < answers.size(); i++) {
        together.get(i).answer.complete(answers.get(i));
      }
    } catch (SQLException | RuntimeException | Error failure) {
      together.forEach(waiting -> waiting.answer.completeExceptionally(failure));
    }
  }

  private static SQLException unwrap(CompletionException failure) {
    if (failure.getCause() instanceof SQLException cause) {
      // an own one for each caller, with the state by which it is judged
      return new SQLException(cause.getMessage(), cause.getSQLState(), cause);
    }
    throw failure;
  }
}
