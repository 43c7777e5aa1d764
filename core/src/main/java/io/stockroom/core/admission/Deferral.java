package io.stockroom.core.admission;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Lets a call be answered later. Tomcat ends the request without a response and takes the
 * connection for idle, so a waiting call costs no thread and none of the buffers that a request has
 * (60 KB). The response is written to the connection directly.
 *
 * <p>If the client sends something before the response, or leaves, the wait ends: responses are in
 * the order of requests.
 */
public final class Deferral {
  /** Makes the deferral of a call; few calls need one. */
  public interface Factory {
    /** The request attribute of a call that can be deferred. */
    String ATTRIBUTE = Factory.class.getName();

    Deferral create();
  }

  /** The note on Tomcat's request, which stays there for the next request of the connection. */
  static final int NOTE = 17;

  private final SocketWrapperBase<?> connection;
  private final Response response;
  private final Map<SocketWrapperBase<?>, Deferral> deferred;
  private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
  private Runnable giveUp = () -> {};

  Deferral(
      SocketWrapperBase<?> connection,
      Response response,
      Map<SocketWrapperBase<?>, Deferral> deferred) {
    this.connection = connection;
    this.response = response;
    this.deferred = deferred;
  }

  /**
   * Ends the request without a response. {@link #complete} must follow, from any thread.
   *
   * @param endsEarly makes {@link #complete} follow soon
   */
  public void begin(Runnable endsEarly) {
    giveUp = endsEarly;
    // else Tomcat would write a header when the request ends
    response.setCommitted(true);
    response.getRequest().setNote(NOTE, this);
    deferred.put(connection, this);
  }

  /** Writes the complete response. */
  public void complete(byte[] bytes) {
    answer.complete(bytes);
    send();
  }

  /** If the previous call of this connection still waits, answers it first. */
  public static void finishPrevious(org.apache.coyote.Request request) {
    if (request.getNote(NOTE) instanceof Deferral previous
        && previous.deferred.get(previous.connection) == previous) {
      previous.finish();
    }
  }

  /** Ends the wait and writes the response. */
  void finish() {
    giveUp.run();
    send();
  }

  /** Takes the connection when the thread of the request has left it; writes once. */
  private void send() {
    connection.getLock().lock();
    try {
      byte[] bytes = answer.join();
      if (deferred.get(connection) == this && !connection.isClosed()) {
        connection.write(true, bytes, 0, bytes.length);
        connection.flush(true);
        if (connection instanceof NioEndpoint.NioSocketWrapper wrapper) {
          // the connection is idle from now on, not since the request
          wrapper.updateLastRead();
        }
      }
    } catch (IOException gone) {
      connection.close();
    } finally {
      // last, because a server that stops closes its connections when no call is deferred any more
      deferred.remove(connection, this);
      connection.getLock().unlock();
    }
  }
}
