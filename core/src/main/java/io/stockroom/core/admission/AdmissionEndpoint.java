package io.stockroom.core.admission;

import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's connector. Its poller thread admits or rejects every call whose complete request it can
 * read into its buffer, before a thread is started to serve the call. If a request arrives in
 * pieces, the poller collects them: a thread and a parser take over when the request is complete or
 * the buffer is full.
 */
public final class AdmissionEndpoint extends NioEndpoint {
  /** Creates the virtual thread of each call. */
  public static final ThreadFactory CALLS = Thread.ofVirtual().name("call").factory();

  /**
   * While it rejects calls, the poller sleeps this long between rounds: waking up for every
   * rejection would cost active calls more than the rejection itself.
   */
  private static final long PAUSE_NANOS = Duration.ofMillis(3).toNanos();

  /**
   * How long the poller works between two pauses, so that rejections use at most a quarter of the
   * processors.
   */
  private static final long REJECTING_NANOS =
      Duration.ofMillis(1).toNanos() * Runtime.getRuntime().availableProcessors();

  /** A short response fits; thousands of idle and waiting connections keep theirs. */
  private static final int WRITE_BUFFER = 4_096;

  /** A longer body may not fit, because its header needs room as well. */
  private static final int SHORT = WRITE_BUFFER - 512;

  private record Rules(
      Function<String, @Nullable ConcurrencyLimit> limits,
      Function<RequestHead, byte[]> overloaded,
      Function<RequestHead, byte[]> incomplete) {}

  /**
   * What has arrived of a request.
   *
   * @param head null if its header is incomplete
   * @param sinceNanos when the incomplete part began
   */
  private record Beginning(byte[] bytes, @Nullable RequestHead head, long sinceNanos) {}

  private final Map<SocketWrapperBase<?>, Permit> admitted = new ConcurrentHashMap<>();

  /** The connections whose requests are incomplete. */
  private final Map<SocketWrapperBase<?>, Beginning> beginnings = new ConcurrentHashMap<>();

  /** The calls that are answered later. */
  private final Map<SocketWrapperBase<?>, Deferral> deferred = new ConcurrentHashMap<>();

  /** As large as the buffer of a connection; only the poller thread uses it. */
  private final ByteBuffer seen = ByteBuffer.allocate(8192);

  private volatile @Nullable Rules rules;
  private long pausedUntil = System.nanoTime();

  /**
   * Starts to admit calls; before that, Tomcat serves every request.
   *
   * @param limits the limit for a path; null if the path is not a call
   * @param overloaded the complete response to a rejected call
   * @param incomplete the complete response to a call whose body does not arrive in time
   */
  public void admit(
      Function<String, @Nullable ConcurrencyLimit> limits,
      Function<RequestHead, byte[]> overloaded,
      Function<RequestHead, byte[]> incomplete) {
    rules = new Rules(limits, overloaded, incomplete);
    socketProperties.setAppReadBufSize(seen.capacity());
    socketProperties.setAppWriteBufSize(WRITE_BUFFER);
  }

  /** Creates the parser of a request, which passes the permit on as an attribute. */
  public Http11Processor processor(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
    return new Http11Processor(protocol, adapter) {
      @Override
      public SocketState service(SocketWrapperBase<?> connection) throws IOException {
        Permit permit = admitted.remove(connection);
        getRequest().setNote(Deferral.NOTE, null);
        if (permit != null) {
          Deferral.Factory deferral = () -> new Deferral(connection, response, deferred);
          getRequest().setAttribute(Permit.ATTRIBUTE, permit);
          getRequest().setAttribute(Deferral.Factory.ATTRIBUTE, deferral);
        }
        long sent = getRequest().getRequestProcessor().getBytesSent();
        SocketState state = super.service(connection);
        if (getRequest().getRequestProcessor().getBytesSent() - sent > SHORT) {
          enlarge(connection);
        }
        Deferral waiting = deferred.get(connection);
        if (state == SocketState.CLOSED && waiting != null) {
          // the server has paused meanwhile, so this connection is closed with the last response
          waiting.finish();
        }
        return state;
      }
    };
  }

  /**
   * Gives the connection a larger buffer: a client that got a page of products will ask for more,
   * and a response in two pieces costs a second system call and wakes the client twice.
   */
  private void enlarge(SocketWrapperBase<?> connection) {
    if (connection instanceof NioSocketWrapper plain) {
      // larger than the read buffer would enlarge that as well
      plain.getSocket().getBufHandler().expand(seen.capacity());
    }
  }

  @Override
  public boolean processSocket(
      SocketWrapperBase<NioChannel> connection, SocketEvent event, boolean dispatch) {
    Deferral waiting = deferred.get(connection);
    if (waiting != null && event == SocketEvent.OPEN_READ) {
      CALLS
          .newThread(
              () -> {
                waiting.finish();
                super.processSocket(connection, event, dispatch);
              })
          .start();
      return true;
    }
    Beginning silent = event == SocketEvent.OPEN_READ ? null : beginnings.get(connection);
    if (silent != null) {
      close(connection, silent);
      return true;
    }
    Rules current = rules;
    if (current == null
        || event != SocketEvent.OPEN_READ
        || !dispatch
        // a request that is already being read or served
        || connection.getCurrentProcessor() != null
        || !connection.getSocket().isHandshakeComplete()
        // the thread of the previous request is just leaving
        || !connection.getLock().tryLock()) {
      return super.processSocket(connection, event, dispatch);
    }
    Permit permit;
    try {
      Beginning before = beginnings.remove(connection);
      boolean isEnded = isEndedAfterReading(connection, before);
      RequestHead head = seen.hasRemaining() ? RequestHead.read(seen.array(), seen.limit()) : null;
      ConcurrencyLimit limit = head == null ? null : current.limits.apply(head.path());
      if (!isEnded && waitsForRest(connection, head, limit)) {
        beginnings.put(connection, beginning(before, head));
        connection.registerReadInterest();
        return true;
      }
      boolean isWhole = head != null && head.length() == seen.limit();
      permit = limit == null || !isWhole ? null : limit.permit();
      if (head != null && permit != null && !permit.enter(head.token())) {
        boolean isSent = isSent(connection, current.overloaded.apply(head));
        gather();
        return isSent;
      }
      if (seen.hasRemaining()) {
        connection.unRead(seen);
      }
    } catch (IOException gone) {
      return false;
    } finally {
      connection.getLock().unlock();
    }
    if (permit == null) {
      return super.processSocket(connection, event, true);
    }
    serve(connection, permit, createSocketProcessor(connection, event));
    return true;
  }

  /** Whether the connection waits for a response that comes later. */
  public boolean isDeferred(SocketWrapperBase<?> connection) {
    return deferred.containsKey(connection);
  }

  /** How many calls are answered later. */
  public int deferred() {
    return deferred.size();
  }

  /**
   * Closes connections that take longer than this for a header, or for a body or the part of it
   * that fits into the buffer.
   */
  public void closeLate(Duration maxTime) {
    long now = System.nanoTime();
    beginnings.forEach(
        (connection, beginning) -> {
          if (now - beginning.sinceNanos > maxTime.toNanos()) {
            close(connection, beginning);
          }
        });
  }

  private void close(SocketWrapperBase<?> connection, Beginning late) {
    // if somebody holds the lock, the rest has just arrived, or it is being closed
    if (!connection.getLock().tryLock()) {
      return;
    }
    Rules current = rules;
    try {
      if (beginnings.remove(connection, late)) {
        if (late.head != null && current != null) {
          byte[] response = current.incomplete.apply(late.head);
          connection.write(false, response, 0, response.length);
          connection.flush(false);
        }
        connection.close();
      }
    } catch (IOException gone) {
      connection.close();
    } finally {
      connection.getLock().unlock();
    }
  }

  /** Reads what has arrived, after what had arrived before; true if nothing more will. */
  private boolean isEndedAfterReading(
      SocketWrapperBase<NioChannel> connection, @Nullable Beginning before) throws IOException {
    seen.clear();
    int count;
    if (before == null) {
      count = connection.read(false, seen);
    } else {
      seen.put(before.bytes);
      // not through the connection's buffer, which might then be too full to put all of it back
      count = connection.getSocket().read(seen);
    }
    seen.flip();
    return count < 0;
  }

  /**
   * Whether the poller collects more of this request: it is incomplete, and the buffer has room.
   * Tomcat reads malformed headers and requests under TLS.
   */
  private boolean waitsForRest(
      SocketWrapperBase<NioChannel> connection,
      @Nullable RequestHead head,
      @Nullable ConcurrencyLimit limit) {
    int length = seen.limit();
    if (length == seen.capacity() || connection.getSocket() instanceof SecureNioChannel) {
      return false;
    }
    return head == null
        ? RequestHead.isIncomplete(seen.array(), length)
        : limit != null && head.length() > length;
  }

  private Beginning beginning(@Nullable Beginning before, @Nullable RequestHead head) {
    byte[] bytes = Arrays.copyOf(seen.array(), seen.limit());
    if (before != null && (before.head == null) == (head == null)) {
      return new Beginning(bytes, head, before.sinceNanos);
    }
    return new Beginning(bytes, head, System.nanoTime());
  }

  /** Closes the permit even if no thread can be started. */
  private void serve(SocketWrapperBase<NioChannel> connection, Permit permit, Runnable serving) {
    admitted.put(connection, permit);
    boolean isStarted = false;
    try {
      CALLS
          .newThread(
              () -> {
                try {
                  serving.run();
                } finally {
                  admitted.remove(connection, permit);
                  permit.close();
                }
              })
          .start();
      isStarted = true;
    } finally {
      if (!isStarted) {
        admitted.remove(connection, permit);
        permit.close();
      }
    }
  }

  private void gather() {
    if (System.nanoTime() - pausedUntil > REJECTING_NANOS) {
      LockSupport.parkNanos(PAUSE_NANOS);
      pausedUntil = System.nanoTime();
    }
  }

  /** Closes connections whose clients never read their rejections. */
  private static boolean isSent(SocketWrapperBase<NioChannel> connection, byte[] response)
      throws IOException {
    connection.write(false, response, 0, response.length);
    if (connection.flush(false)) {
      return false;
    }
    connection.registerReadInterest();
    return true;
  }
}
