package io.stockroom.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/** Tomcat's connections, with somebody at the door who sees each request before it is served. */
final class GuardedEndpoint extends NioEndpoint {
  /**
   * While there is more than can be served, all connections are looked at together, this often: to
   * be woken for each refusal would cost those who work more than the refusal itself.
   */
  private static final long PAUSE_NANOS = Duration.ofMillis(3).toNanos();

  /**
   * So long it refuses between two pauses. So refusals take no more than a quarter of the
   * processors; where that is not enough they come later, and those who work go on.
   */
  private static final long REFUSING_NANOS =
      Duration.ofMillis(1).toNanos() * Runtime.getRuntime().availableProcessors();

  private volatile @Nullable Door door;
  private long pausedUntil = System.nanoTime();

  /** As much as a connection holds; only the thread that watches all connections uses it. */
  private final ByteBuffer seen = ByteBuffer.allocate(8192);

  void guard(Door guard) {
    door = guard;
    socketProperties.setAppReadBufSize(seen.capacity());
  }

  @Override
  public boolean processSocket(
      SocketWrapperBase<NioChannel> connection, SocketEvent event, boolean dispatch) {
    Door guard = door;
    if (guard == null
        || event != SocketEvent.OPEN_READ
        || !dispatch
        // a request that is being read or served already
        || connection.getCurrentProcessor() != null
        || !connection.getSocket().isHandshakeComplete()
        // whoever served the request before is just leaving
        || !connection.getLock().tryLock()) {
      return super.processSocket(connection, event, dispatch);
    }
    Door.Verdict verdict;
    try {
      verdict = look(guard, connection);
      if (verdict instanceof Door.Refusal(byte[] answer)) {
        boolean sent = isSent(connection, answer);
        gather();
        return sent;
      }
    } catch (IOException gone) {
      return false;
    } finally {
      connection.getLock().unlock();
    }
    if (verdict instanceof Door.Ticket ticket) {
      begin(ticket, createSocketProcessor(connection, event));
      return true;
    }
    return super.processSocket(connection, event, true);
  }

  /** Where no thread is to be had, the call is not inside either. */
  private void begin(Door.Ticket ticket, Runnable serving) {
    boolean begun = false;
    try {
      getExecutor().execute(() -> ticket.run(serving));
      begun = true;
    } finally {
      if (!begun) {
        ticket.giveBack();
      }
    }
  }

  private void gather() {
    if (System.nanoTime() - pausedUntil > REFUSING_NANOS) {
      LockSupport.parkNanos(PAUSE_NANOS);
      pausedUntil = System.nanoTime();
    }
  }

  /** Whatever is not refused is put back, for Tomcat to read. */
  private Door.@Nullable Verdict look(Door guard, SocketWrapperBase<NioChannel> connection)
      throws IOException {
    seen.clear();
    int count = connection.read(false, seen);
    if (count <= 0) {
      return null;
    }
    seen.flip();
    Door.Verdict verdict = guard.judge(seen.array(), count);
    if (!(verdict instanceof Door.Refusal)) {
      connection.unRead(seen);
    }
    return verdict;
  }

  /** Who has left so many refusals unread that there is no room for one more is let go of. */
  private static boolean isSent(SocketWrapperBase<NioChannel> connection, byte[] answer)
      throws IOException {
    connection.write(false, answer, 0, answer.length);
    if (connection.flush(false)) {
      return false;
    }
    connection.registerReadInterest();
    return true;
  }
}
