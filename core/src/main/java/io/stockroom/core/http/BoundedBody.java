package io.stockroom.core.http;

import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how long a body may take: five seconds, plus one for every 16 KiB. Only the time spent
 * waiting for the client counts. Jetty's own data rate has no grace period: it would reject a
 * client that pauses after its first bytes.
 *
 * <p>When a request is answered, reads the rest of its body, so that the client reads the response.
 */
final class BoundedBody extends Handler.Wrapper {
  private static final long GRACE_NANOS = 5_000_000_000L;
  private static final long MIN_BYTES_PER_SECOND = 16 * 1024;

  /** The bytes that are still read of a rejected upload. */
  private static final long MAX_BYTES_FOR_NOTHING = 8 << 20;

  BoundedBody(Handler handler) {
    super(handler);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Bounded bounded = new Bounded(request);
    return super.handle(
        bounded,
        response,
        new Callback.Nested(callback) {
          @Override
          public void succeeded() {
            bounded.new Rest(callback).run();
          }
        });
  }

  private static final class Bounded extends Request.Wrapper {
    private long waitedNanos;
    private long bytes;
    private boolean isBroken;

    Bounded(Request request) {
      super(request);
    }

    @Override
    public Content.@Nullable Chunk read() {
      Content.Chunk chunk = super.read();
      if (chunk == null) {
        return null;
      }
      if (Content.Chunk.isFailure(chunk)) {
        isBroken = true;
        return chunk;
      }
      bytes += chunk.remaining();
      if (waitedNanos <= GRACE_NANOS + bytes * (1_000_000_000L / MIN_BYTES_PER_SECOND)) {
        return chunk;
      }
      isBroken = true;
      chunk.release();
      TimeoutException tooSlow = new TimeoutException("the body arrives too slowly");
      fail(tooSlow);
      return Content.Chunk.from(tooSlow, true);
    }

    /** Nothing is discarded before the response is sent, so that its sender waits for nothing. */
    @Override
    public boolean consumeAvailable() {
      return true;
    }

    @Override
    public void demand(Runnable then) {
      long start = System.nanoTime();
      super.demand(
          Invocable.from(
              Invocable.getInvocationType(then),
              () -> {
                waitedNanos += System.nanoTime() - start;
                then.run();
              }));
    }

    /** Discards the rest; if it is too large or too slow, the connection is closed. */
    private final class Rest implements Invocable.Task {
      private final Callback callback;

      Rest(Callback callback) {
        this.callback = callback;
      }

      @Override
      public void run() {
        boolean isEnded = false;
        while (!isEnded && !isBroken && bytes < MAX_BYTES_FOR_NOTHING) {
          Content.Chunk chunk = read();
          if (chunk == null) {
            demand(this);
            return;
          }
          chunk.release();
          isEnded = chunk.isLast();
        }
        callback.succeeded();
      }

      @Override
      public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
      }
    }
  }
}
