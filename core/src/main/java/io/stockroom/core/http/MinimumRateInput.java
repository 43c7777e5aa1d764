package io.stockroom.core.http;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * Enforces a minimum rate for request bodies: five seconds, plus one for every 16 KiB. Tomcat
 * limits each single wait, so a byte now and then would keep a connection for hours. Only the time
 * spent waiting for the client counts.
 */
final class MinimumRateInput implements InputBuffer {
  static final long GRACE_NANOS = 5_000_000_000L;
  static final long MIN_BYTES_PER_SECOND = 16 * 1024;

  /** As much as a rejected upload may still have in transit. */
  private static final long MAX_BYTES_FOR_NOTHING = 8 << 20;

  private final InputBuffer source;
  private long waitedNanos;
  private long bytes;
  private boolean isBroken;

  MinimumRateInput(InputBuffer source) {
    this.source = source;
  }

  @Override
  public int doRead(ApplicationBufferHandler handler) throws IOException {
    long start = System.nanoTime();
    isBroken = true;
    int count = source.doRead(handler);
    waitedNanos += System.nanoTime() - start;
    bytes += Math.max(0, count);
    isBroken = isTooSlow(waitedNanos, bytes);
    if (isBroken) {
      throw new SocketTimeoutException("the body arrives too slowly");
    }
    return count;
  }

  /**
   * Discards the rest of the body, so that the client reads the response; closes the connection if
   * the rest is too large or too slow.
   */
  void readRest(Request request) {
    Nowhere nowhere = new Nowhere();
    try {
      while (!isBroken && bytes < MAX_BYTES_FOR_NOTHING) {
        if (request.doRead(nowhere) < 0) {
          return;
        }
      }
    } catch (IOException tooSlowOrGone) {
      // closed below
    }
    request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
  }

  /** Discards bytes. */
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
