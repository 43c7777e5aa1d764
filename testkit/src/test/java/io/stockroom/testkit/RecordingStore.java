package io.stockroom.testkit;

import io.stockroom.client.ProductStock;
import io.stockroom.client.StockChange;
import io.stockroom.client.mirror.MirrorStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Records what a mirror writes, and can fail like a program that is killed. */
final class RecordingStore implements MirrorStore {
  /** The program ended. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final MirrorStore store;
  private final List<Integer> replacedBlocks = new ArrayList<>();
  private int snapshots;
  private int lives = Integer.MAX_VALUE;

  RecordingStore(MirrorStore store) {
    this.store = store;
  }

  /** Dies at the call of {@link #apply} after so many others, before or after it is written. */
  RecordingStore dieAfter(int applied) {
    lives = applied;
    return this;
  }

  int snapshots() {
    return snapshots;
  }

  List<Integer> replacedBlocks() {
    return replacedBlocks;
  }

  @Override
  public Optional<String> cursor() {
    return store.cursor();
  }

  @Override
  public void replaceAll(String cursor, Stream<ProductStock> products) {
    snapshots++;
    store.replaceAll(cursor, products);
  }

  @Override
  public void apply(String from, String to, Collection<StockChange> changes) {
    if (lives == 0) {
      throw new Killed();
    }
    store.apply(from, to, changes);
    lives--;
    if (lives == 0 && changes.size() % 2 == 1) {
      throw new Killed();
    }
  }

  @Override
  public void replaceBlocks(Collection<Integer> blocks, Stream<ProductStock> products) {
    replacedBlocks.addAll(blocks);
    store.replaceBlocks(blocks, products);
  }

  @Override
  public Optional<ProductStock> product(int pid) {
    return store.product(pid);
  }

  @Override
  public void read(Consumer<ProductStock> reader) {
    store.read(reader);
  }
}
