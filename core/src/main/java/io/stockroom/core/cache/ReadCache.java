package io.stockroom.core.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.call.Answer;
import io.stockroom.core.database.Cells;
import io.stockroom.protocol.Language;
import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Answers reads from memory, or else from the database; the package explains why no answer is
 * stale.
 *
 * <p>Empty answers and rejections are not cached, so keys of things that do not exist cannot fill
 * the cache. Caffeine lets an entry replace others only if it is requested more often.
 */
public final class ReadCache {
  /** No answer takes more than one of so many parts of the cache. */
  private static final int PARTS = 16;

  /**
   * How often a use of an entry is reported to Caffeine, which then moves the entry within its
   * lists. The garbage collector scans every entry that was moved: reporting each use would make
   * its pauses about twice as long.
   */
  private static final long REPORT_EVERY_NANOS = 10_000_000_000L;

  /** What a cached answer answers. */
  public sealed interface Key {
    int merchantId();

    /** The stock of a product; changes with that product. */
    record Stock(int merchantId, int productId) implements Key {}

    /**
     * A page of the product list; changes with any product. A filtered page also changes when a
     * product gets its first entry.
     *
     * @param hasStock the filter; null for all products
     */
    record Products(int merchantId, @Nullable Boolean hasStock, int page) implements Key {}

    /**
     * A page of a snapshot; changes with everything.
     *
     * @param after the last product of the page before; 0 for the first page
     * @param log the log of the cursor in the request; 0 for the first page
     * @param change the number of that cursor
     */
    record Snapshot(int merchantId, int after, int limit, long log, long change) implements Key {}
  }

  /** Reads an answer from the database. */
  public interface Reading {
    Read read() throws SQLException;
  }

  /**
   * An answer as it was read.
   *
   * @param hash that of the log's head in the same snapshot; null if the answer must not be cached
   */
  public record Read(Answer answer, byte @Nullable [] hash) {}

  /** An answer as bytes. Only successes are stored: they are the same in every language. */
  static final class StoredAnswer implements Answer {
    /** About what its objects, its key and its place in the cache take. */
    private static final int OVERHEAD = 250;

    private final byte[] json;
    private final Consumer<StoredAnswer> grown;
    private volatile byte @Nullable [] gzip;

    /**
     * Stores an answer.
     *
     * @param grown called when it also keeps its compressed form
     */
    StoredAnswer(byte[] json, Consumer<StoredAnswer> grown) {
      this.json = json;
      this.grown = grown;
    }

    @Override
    public byte[] json(Language language) {
      return json;
    }

    /** Compresses only once. */
    @Override
    public byte[] gzip(byte[] body, UnaryOperator<byte[]> compressor) {
      byte[] known = gzip;
      if (known == null) {
        known = compressor.apply(body);
        gzip = known;
        grown.accept(this);
      }
      return known;
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      throw new IllegalStateException("it is written already");
    }

    /** Its bytes in memory. */
    int weight() {
      byte[] compressed = gzip;
      return json.length + (compressed == null ? 0 : compressed.length) + OVERHEAD;
    }
  }

  private static final class Cached {
    private final StoredAnswer answer;
    private final MerchantView view;
    private final long storedAt;

    /** From when its next use is reported; a race only reports two. */
    private long reportFrom = System.nanoTime();

    private Cached(StoredAnswer answer, MerchantView view, long storedAt) {
      this.answer = answer;
      this.view = view;
      this.storedAt = storedAt;
    }

    /** Whether to report this use to Caffeine. */
    private boolean reports(long now) {
      if (now - reportFrom < 0) {
        return false;
      }
      reportFrom = now + REPORT_EVERY_NANOS;
      return true;
    }
  }

  private final long size;
  private final Cache<Key, Cached> cached;
  private final Barrier barrier;
  private final Counter hits;
  private final Counter misses;

  /**
   * Makes an empty cache.
   *
   * @param size the maximum number of bytes; 0 caches nothing
   */
  public ReadCache(Cells cells, long size, MeterRegistry meters) {
    this.size = size;
    this.cached =
        Caffeine.newBuilder()
            .maximumWeight(size)
            .weigher((Key _, Cached entry) -> entry.answer.weight())
            // its upkeep is short, and needs no thread
            .executor(Runnable::run)
            .build();
    this.barrier =
        new Barrier(
            cells,
            meters,
            (merchantId, productId) -> cached.invalidate(new Key.Stock(merchantId, productId)));
    this.hits = reads(meters, "hit");
    this.misses = reads(meters, "miss");
    Gauge.builder("stockroom.cache.bytes", this, ReadCache::bytes)
        .description("Bytes of the answers in memory")
        .baseUnit("bytes")
        .register(meters);
  }

  private static Counter reads(MeterRegistry meters, String result) {
    return Counter.builder("stockroom.cache.reads")
        .description("Reads that were answered from memory (hit) or from the database (miss)")
        .tag("result", result)
        .register(meters);
  }

  /** The answer of {@code key}, from memory or from {@code reading}. */
  public Answer get(Key key, Reading reading) throws SQLException {
    Answer answer = fromMemory(key);
    return answer == null ? fromDatabase(key, reading) : answer;
  }

  /** A hit: an answer that is still valid after the call has passed the barrier. */
  private @Nullable Answer fromMemory(Key key) throws SQLException {
    if (!cached.asMap().containsKey(key)) {
      return null;
    }
    MerchantView view = barrier.pass(key.merchantId());
    Cached entry = use(key);
    if (entry == null || entry.view != view || !view.isValid(key, entry.storedAt)) {
      return null;
    }
    hits.increment();
    return entry.answer;
  }

  /** A miss: reads the answer, and stores it if it is small enough. */
  private Answer fromDatabase(Key key, Reading reading) throws SQLException {
    misses.increment();
    Read read = reading.read();
    byte[] hash = read.hash;
    if (hash == null || size == 0) {
      return read.answer;
    }
    StoredAnswer answer =
        new StoredAnswer(read.answer.json(Language.ENGLISH), grown -> weighAgain(key, grown));
    if (answer.weight() <= size / PARTS) {
      store(key, answer, hash);
    }
    return answer;
  }

  private @Nullable Cached use(Key key) {
    Cached entry = cached.policy().getIfPresentQuietly(key);
    return entry != null && entry.reports(System.nanoTime()) ? cached.getIfPresent(key) : entry;
  }

  /** Stores an answer, if necessary after the view of its merchant has caught up with it. */
  private void store(Key key, StoredAnswer answer, byte[] hash) {
    MerchantView view = barrier.last(key.merchantId());
    if (view != null && store(view, key, answer, hash)) {
      return;
    }
    var _ =
        barrier
            .submit(key.merchantId())
            .thenAccept(
                passed -> {
                  if (passed != null) {
                    store(passed, key, answer, hash);
                  }
                });
  }

  private boolean store(MerchantView view, Key key, StoredAnswer answer, byte[] hash) {
    return view.storeAt(hash, at -> cached.put(key, new Cached(answer, view, at)));
  }

  /** An entry is weighed when it is put; one that was dropped meanwhile stays away. */
  private void weighAgain(Key key, StoredAnswer answer) {
    cached
        .asMap()
        .computeIfPresent(
            key,
            (_, entry) ->
                entry.answer == answer ? new Cached(answer, entry.view, entry.storedAt) : entry);
  }

  long bytes() {
    return cached.policy().eviction().orElseThrow().weightedSize().orElseThrow();
  }
}
