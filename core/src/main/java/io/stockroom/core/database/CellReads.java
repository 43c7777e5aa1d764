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
    int merchantId = merchant.applyAsInt(key);
    long began = System.nanoTime();
    while (true) {
      Database database = cells.databaseOf(merchantId);
      try {
        V found = of(database).get(key);
        if (cells.isIn(database, merchantId)) {
          return found;
        }
      } catch (SQLException | RuntimeException failure) {
        // the rows of a merchant that has left are deleted
        if (cells.isIn(database, merchantId)) {
          throw failure;
        }
      }
      new MerchantFence(cells, merchantId).await(database, began);
    }
  }

  /** As {@link #get}, without waiting. */
  public CompletableFuture<V> submit(K key) {
    int merchantId = merchant.applyAsInt(key);
    Database database;
    try {
      database = cells.databaseOf(merchantId);
    } catch (SQLException failure) {
      return CompletableFuture.failedFuture(failure);
    }
    CompletableFuture<V> read = of(database).submit(key);
    return cells.isAlone()
        ? read
        : read.handle((_, _) -> key).thenCompose(same -> checked(same, database, read));
  }

  private CompletableFuture<V> checked(K key, Database database, CompletableFuture<V> read) {
    try {
      return cells.isSettledIn(database, merchant.applyAsInt(key)) ? read : again(key);
    } catch (SQLException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** The merchant may be moving: reads again, and makes sure. */
  private CompletableFuture<V> again(K key) {
    CompletableFuture<V> later = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("moving-read")
        .start(
            () -> {
              try {
                later.complete(get(key));
              } catch (SQLException | RuntimeException failure) {
                later.completeExceptionally(failure);
              }
            });
    return later;
  }

  private BatchedRead<K, V> of(Database database) {
    return byCell.computeIfAbsent(database, reads);
  }
}
