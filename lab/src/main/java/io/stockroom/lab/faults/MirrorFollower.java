package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.client.ProductStock;
import io.stockroom.client.StockChange;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.mirror.MirrorStore;
import io.stockroom.client.mirror.StockMirror;
import io.stockroom.client.mirror.Verification;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The SDK's mirror of one merchant; it follows one node, which may die and come back. */
final class MirrorFollower implements AutoCloseable {
  private final StockroomClient client;
  private final Recorder store;
  private final StockMirror mirror;
  private final Thread thread;

  /** Records the numbers of the changes that a store gets. */
  private static final class Recorder implements MirrorStore {
    private final MirrorStore store;
    private final List<Long> numbers = new ArrayList<>();
    private int snapshots;

    private Recorder(MirrorStore store) {
      this.store = store;
    }

    @Override
    public Optional<String> cursor() {
      return store.cursor();
    }

    @Override
    public void replaceAll(String cursor, Stream<ProductStock> products) {
      store.replaceAll(cursor, products);
      snapshots++;
    }

    @Override
    public void apply(String from, String to, Collection<StockChange> changes) {
      store.apply(from, to, changes);
      // to compare digests, the mirror applies changes early and leaves its cursor
      if (!from.equals(to)) {
        changes.forEach(change -> numbers.add(change.number()));
      }
    }

    @Override
    public void replaceBlocks(Collection<Integer> blocks, Stream<ProductStock> products) {
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

  private MirrorFollower(StockroomClient client, MirrorStore store) {
    this.client = client;
    this.store = new Recorder(store);
    this.mirror = new StockMirror(client, this.store);
    this.thread = Thread.ofVirtual().start(mirror::follow);
  }

  static MirrorFollower start(String url, Credentials credentials, MirrorStore store) {
    StockroomClient client =
        StockroomClient.builder().address(url).credentials(credentials).build();
    return new MirrorFollower(client, store);
  }

  /** Ends the following, brings the mirror to the end of the log, and compares its digests. */
  Verification end() {
    mirror.close();
    Await.forEnd(thread);
    mirror.sync();
    return mirror.verify();
  }

  /** The numbers of all changes that were applied, in this order. */
  List<Long> numbers() {
    return store.numbers;
  }

  int snapshots() {
    return store.snapshots;
  }

  StockCopy copy() {
    StockCopy copy = new StockCopy();
    store.read(
        product ->
            product
                .entries()
                .forEach(
                    entry -> copy.put(product.pid(), entry.color(), entry.size(), entry.stock())));
    return copy;
  }

  @Override
  public void close() {
    mirror.close();
    client.close();
  }
}
