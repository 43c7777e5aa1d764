package io.stockroom.client.mirror;

import io.stockroom.client.Change;
import io.stockroom.client.ChangePage;
import io.stockroom.client.ChangeStream;
import io.stockroom.client.CursorExpiredException;
import io.stockroom.client.InvalidRequestException;
import io.stockroom.client.ProductStock;
import io.stockroom.client.Snapshot;
import io.stockroom.client.StockChange;
import io.stockroom.client.StockDigest;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import io.stockroom.protocol.Size;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A local copy of a merchant's stock. It starts from a snapshot, follows the changes, and continues
 * where it stopped after a restart, because the store keeps the cursor together with the stock.
 * Changes carry absolute quantities, so applying one twice does no harm.
 *
 * <pre>{@code
 * StockMirror mirror = new StockMirror(client, new MemoryMirrorStore());
 * new Thread(mirror::follow).start();
 * }</pre>
 *
 * <p>A mirror is thread-safe. Only one mirror may write to a store.
 */
public final class StockMirror implements AutoCloseable {
  private static final Duration POLL = Duration.ofMinutes(1);

  /** The wait after a failed snapshot: 1, 2, 4, 8, 16, 32 seconds. */
  private static final int MAX_DOUBLINGS = 5;

  /** How often {@link #verify} reads differing blocks before it gives up. */
  private static final int MAX_REPAIRS = 5;

  private final StockroomClient client;
  private final MirrorStore store;

  /** Held while the store is written, not while the mirror waits for changes. */
  private final Object writing = new Object();

  private Consumer<? super StockroomException> onFailure = failure -> {};
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable ChangeStream following;

  /**
   * Creates a mirror; sends nothing yet.
   *
   * @param client the client; its token needs the scopes {@code changes:read} and {@code
   *     stock:read}
   * @param store where to keep the copy
   */
  public StockMirror(StockroomClient client, MirrorStore store) {
    this.client = client;
    this.store = store;
  }

  /**
   * Reports failures that {@link #follow} recovers from, for example to log them.
   *
   * @param listener receives each failure, in the thread that follows
   * @return this mirror
   */
  public StockMirror onFailure(Consumer<? super StockroomException> listener) {
    this.onFailure = listener;
    return this;
  }

  /**
   * Brings the copy up to date: takes a snapshot if there is no copy yet or its cursor has expired,
   * and applies all changes. Whatever the server acknowledged before this call is in the copy
   * afterwards.
   *
   * @throws StockroomException if the server cannot be reached
   * @throws MirrorStoreException if the store fails
   */
  public void sync() {
    synchronized (writing) {
      try {
        catchUp(cursor());
      } catch (StockroomException failure) {
        if (!needsSnapshot(failure)) {
          throw failure;
        }
        catchUp(takeSnapshot());
      }
    }
  }

  /**
   * Follows the changes until the mirror is closed. Continues after failures of the network or the
   * server, and takes a new snapshot if the cursor has expired or the server was restored from a
   * backup.
   *
   * @throws StockroomException if a retry cannot help, for example because the token was revoked
   * @throws MirrorStoreException if the store fails; you can call this method again
   */
  public void follow() {
    boolean expired = false;
    for (int failures = 0; !isClosed(); failures++) {
      try {
        String from = start(expired);
        expired = false;
        failures = 0;
        follow(from);
      } catch (StockroomException failure) {
        expired |= needsSnapshot(failure);
        if (isClosed() || !(expired || failure.isTemporary())) {
          throw failure;
        }
        onFailure.accept(failure);
        pause(failures);
      }
    }
  }

  private String start(boolean expired) {
    synchronized (writing) {
      return expired ? takeSnapshot() : cursor();
    }
  }

  /** Waits longer after each failure; {@link #close} ends the wait. */
  private void pause(int failures) {
    try {
      boolean unused = closed.await(1L << Math.min(failures, MAX_DOUBLINGS), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      close();
    }
  }

  /** Applies what comes, until the mirror is closed or the store is somewhere else. */
  private void follow(String from) {
    String at = from;
    try (ChangeStream stream = client.changes(from).onFailure(onFailure)) {
      following = stream;
      while (!isClosed()) {
        Optional<ChangePage> page = stream.poll(POLL);
        if (page.isPresent()) {
          synchronized (writing) {
            if (!store.cursor().equals(Optional.of(at))) {
              // verify() or sync() has applied these changes in the meantime
              return;
            }
            apply(at, page.get().cursor(), page.get().changes());
          }
          at = page.get().cursor();
        }
      }
    } finally {
      following = null;
    }
  }

  /**
   * Proves that the copy is equal: compares its digests with the server's at the same position in
   * the log of changes, reads the blocks that differ again, and compares once more.
   *
   * @return what was compared and repaired
   * @throws StockroomException if the server cannot be reached
   * @throws MirrorStoreException if the store fails, or the copy differs even after repairs
   */
  public Verification verify() {
    SortedSet<Integer> repaired = new TreeSet<>();
    synchronized (writing) {
      for (int i = 0; i <= MAX_REPAIRS; i++) {
        sync();
        StockDigest server = client.digest();
        advanceTo(server.cursor());
        SortedMap<Integer, String> own = BlockDigests.of(store);
        SortedSet<Integer> differing = differing(server, own);
        if (differing.isEmpty()) {
          return new Verification(own.size(), List.copyOf(repaired), BlockDigests.overall(own));
        }
        repair(differing);
        repaired.addAll(differing);
      }
    }
    throw new MirrorStoreException(
        "The blocks %s differ from the server even after %d repairs. Does another program write to the store?"
            .formatted(repaired, MAX_REPAIRS),
        null);
  }

  /**
   * Brings the copy to exactly this position, so that its digests can be compared. The position is
   * at or after the copy's; other programs go on changing the stock meanwhile.
   */
  private void advanceTo(String position) {
    String from = cursor();
    List<Change> pending = new ArrayList<>();
    try (ChangeStream stream = client.changes(from)) {
      Optional<ChangePage> page = stream.poll(Duration.ZERO);
      for (; page.isPresent(); page = stream.poll(Duration.ZERO)) {
        pending.addAll(page.get().changes());
      }
    }
    // asked after the changes were read: if nothing follows the position, all of them precede it
    OptionalLong beyond = firstNumberAfter(position);
    List<Change> due =
        pending.stream()
            .filter(change -> beyond.isEmpty() || change.number() < beyond.getAsLong())
            .toList();
    // the cursor stays: the next sync applies these again, which does no harm
    apply(from, from, due);
  }

  private OptionalLong firstNumberAfter(String position) {
    try (ChangeStream stream = client.changes(position)) {
      return stream
          .poll(Duration.ZERO)
          .map(page -> OptionalLong.of(page.changes().get(0).number()))
          .orElse(OptionalLong.empty());
    }
  }

  private static SortedSet<Integer> differing(StockDigest server, SortedMap<Integer, String> own) {
    SortedMap<Integer, String> expected = new TreeMap<>();
    server.blocks().forEach(block -> expected.put(block.block(), block.digest()));
    SortedSet<Integer> all = new TreeSet<>(expected.keySet());
    all.addAll(own.keySet());
    all.removeIf(
        block -> expected.containsKey(block) && expected.get(block).equals(own.get(block)));
    return all;
  }

  /**
   * Reads the blocks again from the pages of a snapshot, and stops after the last of them. One page
   * has 500 products, so this takes far fewer calls than a stock list for each product, and it also
   * finds products that the copy does not know. The cursor stays where it is: applying the changes
   * since then over newer quantities ends with the newest.
   */
  private void repair(SortedSet<Integer> blocks) {
    Stream<ProductStock> products =
        client
            .snapshot()
            .products()
            .takeWhile(product -> block(product.pid()) <= blocks.last())
            .filter(product -> blocks.contains(block(product.pid())));
    store.replaceBlocks(blocks, products);
  }

  private static int block(int pid) {
    return pid / StockDigest.PRODUCTS_PER_BLOCK;
  }

  /**
   * Reads the copied stock of a product.
   *
   * @param pid the product's id
   * @return its stock; empty if it has none
   */
  public Optional<ProductStock> product(int pid) {
    return store.product(pid);
  }

  /**
   * Reads one copied quantity.
   *
   * @param pid the product's id
   * @param color the color
   * @param size the size
   * @return the quantity; empty if there is no such entry
   */
  public OptionalInt stock(int pid, String color, Size size) {
    return product(pid).stream()
        .flatMap(product -> product.entries().stream())
        .filter(entry -> entry.size().equals(size) && entry.color().equals(color))
        .mapToInt(entry -> entry.stock())
        .findFirst();
  }

  /**
   * Reads one copied quantity of a size that is a whole number.
   *
   * @param pid the product's id
   * @param color the color
   * @param size the size
   * @return the quantity; empty if there is no such entry
   */
  public OptionalInt stock(int pid, String color, int size) {
    return stock(pid, color, Size.of(size));
  }

  /** Ends {@link #follow}. The store stays as it is. */
  @Override
  public void close() {
    closed.countDown();
    ChangeStream stream = following;
    if (stream != null) {
      stream.close();
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void catchUp(String from) {
    String at = from;
    try (ChangeStream stream = client.changes(from)) {
      Optional<ChangePage> page = stream.poll(Duration.ZERO);
      for (; page.isPresent(); page = stream.poll(Duration.ZERO)) {
        apply(at, page.get().cursor(), page.get().changes());
        at = page.get().cursor();
      }
    }
  }

  private void apply(String from, String to, List<Change> changes) {
    List<StockChange> stock =
        changes.stream()
            .filter(StockChange.class::isInstance)
            .map(StockChange.class::cast)
            .toList();
    store.apply(from, to, stock);
  }

  private String cursor() {
    return store.cursor().orElseGet(this::takeSnapshot);
  }

  private String takeSnapshot() {
    Snapshot snapshot = client.snapshot();
    store.replaceAll(snapshot.cursor(), snapshot.products());
    return snapshot.cursor();
  }

  /** The changes since the cursor are gone, or the log is another one after a restore. */
  private static boolean needsSnapshot(StockroomException failure) {
    return failure instanceof CursorExpiredException
        || (failure instanceof InvalidRequestException && failure.code().equals("CURSOR_FORMAT"));
  }
}
