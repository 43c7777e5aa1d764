package io.stockroom.core.http;

import io.stockroom.core.admission.AdmissionEndpoint;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.coyote.AbstractProcessor;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Closes slow and idle connections. Tomcat limits each single wait; this limits the time for a
 * whole header, and closes idle connections when few are left.
 */
public final class BoundedProtocol extends Http11NioProtocol {
  /** For a header, and for a body of up to 8 KiB or the beginning of a longer one. */
  private static final Duration PART_TIME = Duration.ofSeconds(5);

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration IDLE_TIME_WHEN_SHORT = Duration.ofSeconds(2);
  private static final double SHORT = 0.8;

  /** A stopping server has told waiting calls to end before. */
  private static final Duration MAX_DEFERRED = Duration.ofSeconds(2);

  /**
   * Size of the three response buffers of each connection: header, bytes and characters. Larger
   * responses are sent in parts, or bypass the buffers.
   */
  private static final int ANSWER_BUFFER = 4_096;

  private final AdmissionEndpoint endpoint;
  private final CountDownLatch stopped = new CountDownLatch(1);

  public BoundedProtocol() {
    this(new AdmissionEndpoint());
  }

  private BoundedProtocol(AdmissionEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
    setMaxHttpResponseHeaderSize(ANSWER_BUFFER);
  }

  @Override
  public int getDesiredBufferSize() {
    return ANSWER_BUFFER;
  }

  /** Starts to admit calls before they are parsed. */
  public void admit(Routes routes, EarlyResponse response) {
    endpoint.admit(routes::limitOf, response::overloaded, response::incomplete);
  }

  @Override
  protected Processor createProcessor() {
    return endpoint.processor(this, getAdapter());
  }

  @Override
  public void start() throws Exception {
    super.start();
    Thread.ofPlatform().daemon().name("connections").start(this::watch);
  }

  @Override
  public void stop() throws Exception {
    stopped.countDown();
    super.stop();
  }

  /** Lets calls that are answered later have their response: Tomcat takes them for idle. */
  @Override
  public void pause() throws Exception {
    long deadline = System.nanoTime() + MAX_DEFERRED.toNanos();
    while (endpoint.deferred() > 0 && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    super.pause();
  }

  private void watch() {
    try {
      while (!stopped.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        endpoint.closeLate(PART_TIME);
        closeSlow(getEndpoint().getConnections());
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeSlow(Set<SocketWrapperBase<NioChannel>> connections) {
    boolean isShort = connections.size() > getMaxConnections() * SHORT;
    for (SocketWrapperBase<NioChannel> connection : connections) {
      // a thread that serves a request locks its connection, and has its own limits
      boolean isServed = connection.getLock().isLocked() || endpoint.isDeferred(connection);
      if (!isServed && (isLate(connection) || (isShort && isIdle(connection)))) {
        connection.close();
      }
    }
  }

  /** Tomcat keeps the processor on the connection only while a header is incomplete. */
  private static boolean isLate(SocketWrapperBase<NioChannel> connection) {
    return connection.getCurrentProcessor() instanceof AbstractProcessor processor
        && System.nanoTime() - processor.getRequest().getStartTimeNanos() > PART_TIME.toNanos();
  }

  private static boolean isIdle(SocketWrapperBase<NioChannel> connection) {
    return connection.getCurrentProcessor() == null
        && connection instanceof NioEndpoint.NioSocketWrapper quiet
        && System.currentTimeMillis() - quiet.getLastRead() > IDLE_TIME_WHEN_SHORT.toMillis();
  }
}
