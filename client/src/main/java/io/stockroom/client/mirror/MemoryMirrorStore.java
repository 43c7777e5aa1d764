package io.stockroom.client.mirror;

import io.stockroom.client.ProductStock;
import io.stockroom.client.StockChange;
import io.stockroom.client.StockDigest;
import io.stockroom.client.StockEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps the copy in memory. A new one starts with a snapshot. */
public final class MemoryMirrorStore implements MirrorStore {
  private NavigableMap<Integer, ProductStock> products = new TreeMap<>();
  private @Nullable String cursor;

  /** Creates an empty store. */
  public MemoryMirrorStore() {}

  @Override
  public synchronized Optional<String> cursor() {
    return Optional.ofNullable(cursor);
  }

  @Override
  public void replaceAll(String to, Stream<ProductStock> all) {
    // outside the lock: the stream fetches pages
    NavigableMap<Integer, ProductStock> replaced = new TreeMap<>();
    all.forEach(product -> put(replaced, product));
    synchronized (this) {
      products = replaced;
      cursor = to;
    }
  }

  @Override
  public synchronized void apply(String from, String to, Collection<StockChange> changes) {
    if (!from.equals(cursor)) {
      throw MirrorStoreException.otherCursor(from);
    }
    changes.forEach(change -> put(products, changed(products.get(change.pid()), change)));
    cursor = to;
  }

  private static ProductStock changed(@Nullable ProductStock before, StockChange change) {
    List<StockEntry> entries = new ArrayList<>(before == null ? List.of() : before.entries());
    for (StockChange.Entry changed : change.entries()) {
      entries.removeIf(
          entry -> entry.size().equals(changed.size()) && entry.color().equals(changed.color()));
      Integer after = changed.after();
      if (after != null) {
        String guid = changed.guid() == null ? "" : changed.guid();
        entries.add(
            new StockEntry(guid, changed.barCode(), changed.color(), changed.size(), after));
      }
    }
    return new ProductStock(change.pid(), change.artNo(), entries);
  }

  @Override
  public void replaceBlocks(Collection<Integer> blocks, Stream<ProductStock> some) {
    List<ProductStock> replaced = some.toList();
    synchronized (this) {
      products.keySet().removeIf(pid -> blocks.contains(pid / StockDigest.PRODUCTS_PER_BLOCK));
      replaced.forEach(product -> put(products, product));
    }
  }

  private static void put(NavigableMap<Integer, ProductStock> products, ProductStock product) {
    if (product.entries().isEmpty()) {
      products.remove(product.pid());
    } else {
      products.put(product.pid(), product);
    }
  }

  @Override
  public synchronized Optional<ProductStock> product(int pid) {
    return Optional.ofNullable(products.get(pid));
  }

  @Override
  public void read(Consumer<ProductStock> reader) {
    List<ProductStock> all;
    synchronized (this) {
      all = List.copyOf(products.values());
    }
    all.forEach(reader);
  }
}
