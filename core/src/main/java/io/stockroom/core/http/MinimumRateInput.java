package io.stockroom.core.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * A body as it comes from the connection, which must not come too slowly: five seconds, and one
 * more for every 16 KiB. Tomcat bounds each wait alone, so that a byte now and then would keep it
 * for hours. Only the time spent waiting for the sender counts.
 */
final class MinimumRateInput implements InputBuffer {
  static final long GRACE_NANOS = 5_000_000_000L;
  static final long MIN_BYTES_PER_SECOND = 16 * 1024;

  /** As much as an import that was rejected at once may still have on its way. */
  private static final long MAX_BYTES_FOR_NOTHING = 8 << 20;

  private final InputBuffer source;
  private long waitedNanos;
  private long bytes;

  MinimumRateInput(InputBuffer source) {
    this.source = source;
  }

  @Override
  public int doRead(ApplicationBufferHandler handler) throws IOException {
    long start = System.nanoTime();
    int count = source.doRead(handler);
    waitedNanos += System.nanoTime() - start;
    bytes += Math.max(0, count);
    if (isTooSlow(waitedNanos, bytes)) {
      throw new IOException("the body comes too slowly");
    }
    return count;
  }

  /**
   * Reads what nobody wanted, so that the sender comes to read the answer; where that is too much
   * or comes too slowly, the connection is closed instead.
   */
  void readRest(Request request) {
    Nowhere nowhere = new Nowhere();
    try {
      while (bytes < MAX_BYTES_FOR_NOTHING) {
        if (request.doRead(nowhere) < 0) {
          return;
        }
      }
    } catch (IOException tooSlowOrGone) {
      // closed below
    }
    request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
  }

  /** Takes bytes and forgets them. */
  private static final class Nowhere implements ApplicationBufferHandler {
    private @Nullable ByteBuffer buffer;

    @Override
    public void setByteBuffer(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public @Nullable ByteBuffer getByteBuffer() {
      return buffer;
    }

    @Override
    public void expand(int size) {
      // it keeps nothing
    }
  }

  static boolean isTooSlow(long waitedNanos, long bytes) {
    return waitedNanos > GRACE_NANOS + bytes * (1_000_000_000L / MIN_BYTES_PER_SECOND);
  }

  @Override
  public int available() {
    return source.available();
  }
}
