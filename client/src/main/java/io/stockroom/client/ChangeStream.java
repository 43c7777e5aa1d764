package io.stockroom.client;

import io.stockroom.protocol.request.FeedReader;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a merchant as they happen, in pages. It waits at the server (long polling), so a
 * change arrives as soon as it is committed. After failures that may pass (no connection, 429, 500,
 * 503) it continues where it stopped, with increasing waits. It ends only with {@link #close}, or
 * with an exception that no retry can help, such as {@link CursorExpiredException}.
 *
 * <pre>{@code
 * try (ChangeStream stream = client.changes(loadCursor())) {
 *   for (ChangePage page : stream) {
 *     page.changes().forEach(this::apply);
 *     saveCursor(page.cursor());
 *   }
 * }
 * }</pre>
 *
 * <p>If you store the cursor of each page together with what you made of it, you see every change
 * exactly once. One thread reads a stream; any thread may close it.
 */
public final class ChangeStream implements Iterable<ChangePage>, AutoCloseable {
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 2);

  private final Feed feed;
  private final Retries retries;
  private final Object lock = new Object();
  private Consumer<? super StockroomException> onFailure = failure -> {};
  private @Nullable String cursor;
  private int pauses;
  private boolean closed;
  private @Nullable Thread polling;

  ChangeStream(Feed feed, Retries retries, @Nullable String cursor) {
    this.feed = feed;
    this.retries = retries;
    this.cursor = cursor;
  }

  /**
   * Reports failures that the stream recovers from, for example to log them.
   *
   * @param listener receives each failure, in the reading thread
   * @return this stream
   */
  public ChangeStream onFailure(Consumer<? super StockroomException> listener) {
    this.onFailure = listener;
    return this;
  }

  /**
   * Waits for the next changes.
   *
   * @param wait the maximum; zero for one request that does not wait
   * @return at least one change; empty if there was none in this time, or the stream is closed
   * @throws StockroomException if the server could not be reached in this time, or if retries
   *     cannot help
   */
  public Optional<ChangePage> poll(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    while (!isClosed()) {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      Duration asked = wholeSeconds(left);
      long began = System.nanoTime();
      try {
        ChangePage page = interruptible(() -> feed.changes(cursor, FeedReader.MAX_CHANGES, asked));
        cursor = page.cursor();
        if (!page.changes().isEmpty()) {
          pauses = 0;
          return Optional.of(page);
        }
        if (left.isZero() && !page.more()) {
          return Optional.empty();
        }
        boolean early = System.nanoTime() - began < asked.toNanos() / 2;
        pauses = early && !page.more() ? pauses + 1 : 0;
        if (pauses > 0) {
          // the server did not wait: do not ask again at once
          pause(shorter(retries.backoff(pauses), left));
        }
      } catch (StockroomException failure) {
        if (isClosed()) {
          return Optional.empty();
        }
        if (!failure.isTemporary() || left.isZero()) {
          throw failure;
        }
        onFailure.accept(failure);
        pause(shorter(waitAfter(failure), left));
        pauses++;
      }
    }
    return Optional.empty();
  }

  /** {@return the pages from here on; it waits for each and ends when the stream is closed} */
  @Override
  public Iterator<ChangePage> iterator() {
    return new Iterator<>() {
      private Optional<ChangePage> fetched = Optional.empty();

      @Override
      public boolean hasNext() {
        if (fetched.isEmpty()) {
          fetched = poll(FOREVER);
        }
        return fetched.isPresent();
      }

      @Override
      public ChangePage next() {
        if (!hasNext()) {
          throw new NoSuchElementException("The stream is closed.");
        }
        ChangePage page = fetched.orElseThrow();
        fetched = Optional.empty();
        return page;
      }
    };
  }

  /** Ends the stream, also while another thread waits for changes. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      if (polling != null) {
        polling.interrupt();
      }
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  private interface Call<T> {
    T run();
  }

  /** Runs a call that {@link #close} interrupts, without leaving an interrupt behind. */
  private <T> T interruptible(Call<T> call) {
    synchronized (lock) {
      polling = Thread.currentThread();
      if (closed) {
        polling.interrupt();
      }
    }
    try {
      return call.run();
    } finally {
      synchronized (lock) {
        polling = null;
        if (closed) {
          // the flag was set by close(), not by the program
          boolean unused = Thread.interrupted();
        }
      }
    }
  }

  private void pause(Duration wait) {
    try {
      interruptible(
          () -> {
            retries.sleep(wait);
            return wait;
          });
    } catch (CallInterruptedException interrupted) {
      if (!isClosed()) {
        throw interrupted;
      }
    }
  }

  private Duration waitAfter(StockroomException failure) {
    Optional<Duration> asked = Optional.empty();
    if (failure instanceof RateLimitedException limit) {
      asked = limit.retryAfter();
    } else if (failure instanceof ServerUnavailableException unavailable) {
      asked = unavailable.retryAfter();
    }
    return asked.orElseGet(() -> retries.backoff(pauses));
  }

  /** The server waits for whole seconds; less than one second still waits for one. */
  private static Duration wholeSeconds(Duration wait) {
    long seconds = Math.min(wait.plusMillis(999).toSeconds(), Feed.MAX_WAIT.toSeconds());
    return Duration.ofSeconds(seconds);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
