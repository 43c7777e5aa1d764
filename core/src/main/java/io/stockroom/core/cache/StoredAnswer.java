package io.stockroom.core.cache;

import io.stockroom.core.call.Answer;
import io.stockroom.protocol.Language;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** An answer as bytes. Only successes are stored: they are the same in every language. */
final class StoredAnswer implements Answer {
  /** About what its objects, its key and its place in the cache take. */
  private static final int OVERHEAD = 300;

  private final byte[] json;
  private volatile byte @Nullable [] gzip;

  StoredAnswer(byte[] json) {
    this.json = json;
  }

  @Override
  public byte[] json(Language language) {
    return json;
  }

  /** Compresses once, if the result fits into what {@link #weight} reserves. */
  @Override
  public byte[] gzip(byte[] body, UnaryOperator<byte[]> compressor) {
    byte[] known = gzip;
    if (known != null) {
      return known;
    }
    byte[] compressed = compressor.apply(body);
    if (compressed.length <= json.length / 2) {
      gzip = compressed;
    }
    return compressed;
  }

  @Override
  public void write(JsonGenerator out, Language language) {
    throw new IllegalStateException("it is written already");
  }

  /** Its bytes in memory, with room for the compressed form. */
  int weight() {
    return json.length + json.length / 2 + OVERHEAD;
  }
}
