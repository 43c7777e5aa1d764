package io.stockroom.core.database;

import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Batched reads of merchants' data: the callers of one cell share statements. */
public final class CellReads<K, V extends @Nullable Object> {
  private final Cells cells;
  private final ToIntFunction<K> merchant;
  private final Function<Database, BatchedRead<K, V>> reads;
  private final Map<Database, BatchedRead<K, V>> byCell = new ConcurrentHashMap<>();

  CellReads(Cells cells, ToIntFunction<K> merchant, Function<Database, BatchedRead<K, V>> reads) {
    this.cells = cells;
    this.merchant = merchant;
    this.reads = reads;
  }

  /** As {@link BatchedRead#get}. */
  public V get(K key) throws SQLException {
    return of(key).get(key);
  }

  /** As {@link #get}, without waiting. */
  public CompletableFuture<V> submit(K key) {
    try {
      return of(key).submit(key);
    } catch (SQLException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private BatchedRead<K, V> of(K key) throws SQLException {
    return byCell.computeIfAbsent(cells.of(merchant.applyAsInt(key)), reads);
  }
}
