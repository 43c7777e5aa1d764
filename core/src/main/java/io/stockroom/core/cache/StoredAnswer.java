package io.stockroom.core.cache;

import io.stockroom.core.call.Answer;
import io.stockroom.protocol.Language;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** An answer as bytes. Only successes are stored: they are the same in every language. */
final class StoredAnswer implements Answer {
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
